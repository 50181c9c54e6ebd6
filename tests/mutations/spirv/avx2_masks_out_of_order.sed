# src/shader/native/avx2.cpp
# The masks of four vectors are packed in the wrong order (AVX2).
s/words({0, 4, 1, 5, 2, 6, 3, 7})/words({0, 1, 2, 3, 4, 5, 6, 7})/
