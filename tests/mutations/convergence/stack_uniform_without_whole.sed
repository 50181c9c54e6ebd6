# src/runtime/exec/reconvergence_stack.cpp
# A construct that part of the subgroup entered is promised to rejoin.
s/stack.tangles.size() == 1 \&\& stack.tangles\[0\].lanes == stack.existing;/stack.tangles.size() == 1;/
