# src/shader/bind.cpp
# A descriptor's range always ends with its buffer.
s/m.size = std::min(descriptor.range, all - begin);/m.size = all - begin;/
