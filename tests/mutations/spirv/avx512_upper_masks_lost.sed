# src/shader/native/avx512.cpp
# Lanes from 32 on get the masks of lanes from 0 on (AVX-512).
s/shl(r11, 32);//
