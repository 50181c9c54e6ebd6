# src/spirv/native/emit_start.cpp
# A subgroup starts with the waiting lanes of the one before.
s/at < layout::waiting_end/at < layout::waiting_begin/
