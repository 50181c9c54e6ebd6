# src/shader/run/ops/memory.cpp
# Lanes between the first and the last one are not looked at before a packed store.
/^bool is_packed/,/^}/ s/lanes.without(same).any_lane()/lanes.without(same).all_lanes()/
