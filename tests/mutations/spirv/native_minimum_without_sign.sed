# src/shader/native/emit_functions.cpp
# The minimum of signed numbers is that of unsigned ones.
s|rule.type == Scalar::i32 ? as_.vpminsd|rule.type == Scalar::f32 ? as_.vpminsd|
