# src/runtime/check/order.cpp
# A barrier with memory of a narrower scope orders it all the same.
s/return width(sync.memory.scope) >= width(execution) \&\&/return/
