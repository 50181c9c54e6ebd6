#pragma once

#include <cstdint>

/// \file
/// Division by a constant as a product and a shift, after Granlund and Montgomery, "Division by Invariant Integers using
/// Multiplication".

namespace lockstep::spirv {

/// The quotient of x is (factor * (x >> before) + addend) >> 32 >> after, in 64 bits; the addend is the factor or zero.
struct UnsignedDivisor {
  std::uint32_t factor = 0;
  std::uint8_t before = 0, after = 0;
  bool adds = false;
};
/// For numbers of 31 or 32 bits. The divisor is not a power of two.
UnsignedDivisor unsigned_divisor(std::uint32_t divisor, unsigned bits);

/// The quotient of x is q >> after, plus one where x is negative; q is the upper half of factor * x, plus x if `adds`.
struct SignedDivisor {
  std::int32_t factor = 0;
  std::uint8_t after = 0;
  bool adds = false;
};
/// The divisor is positive and not a power of two.
SignedDivisor signed_divisor(std::uint32_t divisor);

}  // namespace lockstep::spirv
