# src/runtime/exec/reconvergence_stack.cpp
# Arrivals join, whatever was chosen.
s/groups == 0 ? 0 : choose(stack, groups + 1, where)/0u/
