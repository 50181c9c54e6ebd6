#pragma once

#include <cstdint>

#include "shader/ir/value_ranges.hpp"

namespace lockstep::spirv {

/// How machine code multiplies integers of 32 bits: Inst::imm of the instruction. Products of 16 bits take half the time.
enum class Product : std::uint64_t {
  words,
  halves,         ///< of the lower halves; one of the factors has only zeros above
  signed_halves,  ///< of the lower halves; either factor may be negative
};

inline Product product_of(const ValueRange& a, const ValueRange& b) {
  constexpr std::int64_t beyond = 1 << 15;
  const auto is_half = [&](const ValueRange& x) { return x.is_inside(-beyond, beyond - 1); };
  if (!is_half(a) || !is_half(b)) return Product::words;
  return a.low >= 0 || b.low >= 0 ? Product::halves : Product::signed_halves;
}

}  // namespace lockstep::spirv
