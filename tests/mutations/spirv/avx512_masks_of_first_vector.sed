# src/shader/native/avx512.cpp
# Each vector gets the mask of the first one (AVX-512).
/void mask_of_bits/,/^  }/s/shr(r8, .*);//
