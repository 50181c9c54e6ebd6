# src/shader/native/register_cache.cpp
# A register is taken for something else without saving its value.
/^int RegisterCache::take/,/^}/s/save(found);//
