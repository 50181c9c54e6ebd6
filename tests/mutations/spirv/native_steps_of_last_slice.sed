# src/shader/native/emit_loops.cpp
# A loop in slices has as many steps as its last slice.
s/as_.jbe(less);/as_.nop();/
