# src/exec/reconvergence_stack.cpp
# Lanes that fail the test of a loop never run again.
/^bool test_loop/,/^}/ s/move_behind(frame.arrived, sides.others);//
