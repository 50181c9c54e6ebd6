# src/runtime/check/clocks.hpp
# Who knows something of an invocation knows all of it.
s/if (k < clocks->size() \&\& (\*clocks)\[k\] >= clock)/if (k < clocks->size() \&\& (*clocks)[k] > 0)/
