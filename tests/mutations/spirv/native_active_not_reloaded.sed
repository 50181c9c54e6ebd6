# src/shader/native/emit_flow.cpp
# Masks in registers still have the lanes that left a loop.
s/cache_.load_active();//
