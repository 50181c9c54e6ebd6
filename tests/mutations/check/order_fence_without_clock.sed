# src/runtime/check/order.cpp
# What comes after a release counts as released.
s/if (releases(order.semantics)) ++i.clock;//
