# src/shader/native/avx2.cpp
# Unsigned numbers are compared as signed ones (AVX2).
s/vpmaxud(scratch(), a, b);/vpmaxsd(scratch(), a, b);/
