# src/shader/run/ops/memory.cpp
# The length of a run-time array counts the bytes before it.
s/? (size - m.offset) >>/? size >>/
