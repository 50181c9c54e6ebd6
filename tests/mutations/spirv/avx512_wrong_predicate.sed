# src/shader/native/avx512.cpp
# Comparisons with NaN hold (AVX-512).
s/constexpr std::uint8_t predicates\[\] = {0, 4, 1, 2};/constexpr std::uint8_t predicates[] = {0, 4, 9, 10};/
