# src/runtime/exec/reconvergence_stack.cpp
# Lanes of the first side never run again.
/^void leave(/,/^}/ s/frame.arrived.take(stack.tangles);/frame.arrived.clear();\n  &/
