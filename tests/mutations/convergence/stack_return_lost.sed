# src/exec/reconvergence_stack.cpp
# Lanes that return from a function never run again.
/^void retire/,/^}/ s/move_behind(frame->arrived, stack.tangles);/stack.tangles.clear();/
