# src/runtime/exec/reconvergence_stack.cpp
# Lanes that fail the test of a loop never run again.
/^bool test_loop/,/^}/ s/split(stack, stack.tangles, condition, frame.arrived, where);/Tangles lost;\n  split(stack, stack.tangles, condition, lost, where);/
