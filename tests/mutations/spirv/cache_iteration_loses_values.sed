# src/shader/native/register_cache.cpp
# At the end of an iteration registers lose what the next one reads from memory.
/^void RegisterCache::restore_pinned/,/^}/s/save(r);/static_cast<void>(0);/
