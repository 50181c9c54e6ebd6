# src/shader/run/ops/memory.cpp
# A read of whole chunks may end one element past the memory.
s/std::uint64_t{base} + i->imm <= limit;/std::uint64_t{base} + i->imm <= limit + 1;/
