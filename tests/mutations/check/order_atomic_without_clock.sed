# src/runtime/check/order.cpp
# What comes after an atomic that releases counts as released.
s/if (released) ++i.clock;//
