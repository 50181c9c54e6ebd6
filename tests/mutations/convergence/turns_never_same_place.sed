# src/runtime/workgroup/workgroup_run.cpp
# Subgroups that meet at one place count as apart.
s/return r.instance == runs_/return r.instance != runs_/
