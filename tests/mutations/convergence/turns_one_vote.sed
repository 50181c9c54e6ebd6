# src/runtime/workgroup/workgroup_run.cpp
# One subgroup decides for all.
s/votes |= r.vote;/votes = r.vote;/
