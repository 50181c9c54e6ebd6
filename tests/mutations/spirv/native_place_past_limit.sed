# src/shader/native/emit_arithmetic.cpp
# The index of an array in a variable may be its length.
s/as_.constant(static_cast<std::uint32_t>(limit - 1))/as_.constant(static_cast<std::uint32_t>(limit))/
