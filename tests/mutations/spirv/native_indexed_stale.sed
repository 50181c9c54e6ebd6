# src/shader/native/emit_memory.cpp
# A register still holds a component that was written by an index.
s/if (!loads) cache_.overwritten(slots\[0\], bytes);//
