# src/runtime/exec/reconvergence_stack.cpp
# A merge counts as reached by all although lanes have escaped.
s/const bool everyone = .*;/const bool everyone = true;/
