# src/shader/run/ops/bits.cpp
# The index of an array in a variable may be its length.
s/index >= limit || sum/index > limit || sum/
