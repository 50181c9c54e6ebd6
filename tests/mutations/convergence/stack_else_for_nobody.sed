# src/runtime/exec/reconvergence_stack.cpp
# The other side of a selection runs for nobody.
/^bool flip/,/^}/ s/stack.tangles.take(frame.waiting);/frame.waiting.clear();/
