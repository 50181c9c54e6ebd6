# src/shader/run/ops/memory.cpp
# A packed store may end one element past the memory.
/^bool is_packed/,/^}/ s/std::uint64_t{next} + count > limit/std::uint64_t{next} + count > limit + 1/
