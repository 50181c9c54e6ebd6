# src/shader/native/emit_arithmetic.cpp
# A product with 2^k + 1 is one with 2^k - 1.
s/adds ? as_.vpaddd(to, as_.scratch(), a)/adds ? as_.vpsubd(to, as_.scratch(), a)/
