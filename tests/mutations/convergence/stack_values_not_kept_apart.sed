# src/runtime/exec/reconvergence_stack.cpp
# Lanes of different values stay together in a case, whatever was chosen.
s/if (selector\[i\] == value)/if (value == value)/
