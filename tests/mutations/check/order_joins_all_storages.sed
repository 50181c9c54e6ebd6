# src/runtime/check/order.cpp
# A barrier orders memory that it does not name.
s/(sync.memory.semantics \& bit_of(storage)) != 0 \&\& releases/releases/
