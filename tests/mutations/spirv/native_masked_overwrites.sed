# src/shader/native/emit_arithmetic.cpp
# An assignment changes inactive lanes, too.
/^void Emitter::masked_arithmetic/,/^}/s/as_.select_lanes(shape, v, all, active, all, result);/as_.vmovups(all, result);/
