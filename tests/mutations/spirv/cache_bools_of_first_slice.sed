# src/shader/native/register_cache.cpp
# In loops in slices bools are those of the first slice.
s/ptr\[(is_sliced() ? rdi : r12) + at\]/ptr[r12 + at]/
