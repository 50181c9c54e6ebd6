# src/shader/native/avx2.cpp
# Lanes that stay in a loop overwrite those that left (AVX2).
s/vblendvps(spare, spare, value, Ymm(mask.number));/vmovups(spare, value), static_cast<void>(mask);/
