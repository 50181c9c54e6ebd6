# src/shader/native/avx512.cpp
# An index out of range is zero (AVX-512).
s/to, to, 0xff)/to, to, 0x00)/
