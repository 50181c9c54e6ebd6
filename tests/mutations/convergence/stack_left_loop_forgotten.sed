# src/exec/reconvergence_stack.cpp
# Lanes that left a loop never run again.
/^void exit_loop/,/^}/ s/std::exchange(frame.arrived, {})/Tangles()/
