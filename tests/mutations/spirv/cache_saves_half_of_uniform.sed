# src/shader/native/register_cache.cpp
# Of a uniform value only the first vector is saved (AVX2).
s/if (h.twice) as_.vmovups.*;//
