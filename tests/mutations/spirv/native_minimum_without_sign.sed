# src/spirv/native/emit_arithmetic.cpp
# The minimum of signed numbers is that of unsigned ones.
s/return has_sign ? as_.vpminsd(to, a, b)/return real ? as_.vpminsd(to, a, b)/
