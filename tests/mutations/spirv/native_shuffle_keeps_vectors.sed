# src/shader/native/emit_shuffle.cpp
# A shuffle does not exchange whole vectors.
s/as_.xor_(ecx, away)/as_.mov(ecx, away)/
