# src/shader/run/ops/memory.cpp
# Addresses count as consecutive though some lanes' are not.
s/if (lanes_of(c, k).without(same).any_lane()) return nullptr;/if (lanes_of(c, k).without(same).count() > 8) return nullptr;/
