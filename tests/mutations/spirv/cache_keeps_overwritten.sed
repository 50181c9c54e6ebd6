# src/shader/native/register_cache.cpp
# A register still holds a value after another one got a newer.
/^void RegisterCache::keep(/,/^}/s/overwritten(at.*;//
