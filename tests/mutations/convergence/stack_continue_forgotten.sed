# src/runtime/exec/reconvergence_stack.cpp
# Lanes that continued wait until the loop is over.
/^void next_trip/,/^}/ s/stack.tangles.take(frame.continuing);/if (!frame.continuing.empty()) return;/
