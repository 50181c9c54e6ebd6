# src/shader/run/ops/memory.cpp
# Only the first chunk's indices of a gather are checked.
s/if (lanes_of(c, k).without(inside).any_lane()) return;/if (k == 0 \&\& lanes_of(c, k).without(inside).any_lane()) return;/
