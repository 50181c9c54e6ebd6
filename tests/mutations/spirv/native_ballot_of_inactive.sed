# src/shader/native/emit_subgroup.cpp
# A ballot has bits of inactive lanes.
/and_(eax, dword\[rbx + layout::active\])/d
