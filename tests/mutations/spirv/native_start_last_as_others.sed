# src/shader/native/emit_start.cpp
# The last subgroup starts with all lanes.
/as_.cmovz(rcx, rdx);/d
