# src/shader/run/branches.cpp
# A selection that no lane enters skips its else.
s/if (op.code == Code::if_else \&\& !is_empty_else(at)) return at + 1;//
