# src/shader/native/register_cache.cpp
# Of a uniform value only the first vector is saved (AVX2).
s/k < h.copies; ++k/k < 1; ++k/
