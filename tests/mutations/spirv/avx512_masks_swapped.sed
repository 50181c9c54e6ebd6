# src/shader/native/avx512.cpp
# The masks of two vectors are joined in the wrong order (AVX-512).
s/kunpckwd(both, mask(masks\[k + 1\]), mask(masks\[k\]));/kunpckwd(both, mask(masks[k]), mask(masks[k + 1]));/
