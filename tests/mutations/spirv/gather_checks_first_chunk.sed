# src/spirv/exec/ops/memory.cpp
# Only the first chunk's indices of a gather are checked.
s/if (lanes(c, k).without(inside).any_lane()) return;/if (k == 0 \&\& lanes(c, k).without(inside).any_lane()) return;/
