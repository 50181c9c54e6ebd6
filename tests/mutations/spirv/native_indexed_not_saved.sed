# src/shader/native/emit_memory.cpp
# A component by an index is read from memory while a register holds a newer value.
s/cache_.save_inside(slots\[0\], bytes);//
