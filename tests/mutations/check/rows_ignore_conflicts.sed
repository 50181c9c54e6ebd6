# src/runtime/check/rows.cpp
# A row may conflict with rows of other subgroups.
s/: races_.conflict(old, now_)))/: false))/
