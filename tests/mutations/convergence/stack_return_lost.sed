# src/runtime/exec/reconvergence_stack.cpp
# Lanes that return from a function never run again.
/^void retire/,/^}/ s/frame->arrived.take(stack.tangles);/stack.tangles.clear();/
