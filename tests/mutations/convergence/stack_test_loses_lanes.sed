# src/runtime/exec/reconvergence_stack.cpp
# Lanes that fail the test of a loop never run again.
/^bool test_loop/,/^}/ s/split(stack.tangles, condition, frame.arrived,/Tangles lost;\n  split(stack.tangles, condition, lost,/
