# src/runtime/check/races.cpp
# Memory that is not coherent is seen all the same.
s/return storage != Storage::shared \&\& old.changes .*;/return storage == Storage::shared \&\& old.changes \&\& !(old_is_seen \&\& now_sees);/
