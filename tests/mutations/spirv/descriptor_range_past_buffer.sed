# src/shader/bind.cpp
# A descriptor's range may end past its buffer.
s/m.size = std::min(descriptor.range, all - begin);/m.size = std::min(descriptor.range, all);/
