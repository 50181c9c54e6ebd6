# src/shader/native/emit_memory.cpp
# A read of whole vectors may end one element past the memory.
s/as_.lea(rdx, ptr\[rax + static_cast<std::size_t>(i.imm)\]);/as_.lea(rdx, ptr[rax + static_cast<std::size_t>(i.imm - 1)]);/
