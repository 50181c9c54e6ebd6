# src/runtime/check/races.cpp
# Atomics of the scope of a subgroup order those of other subgroups.
s/return !a.is_of_subgroup(b);/return false;/
