#pragma once

#include <cstdint>

#include <lockstep/lanes/detail/scalar.hpp>

namespace lockstep::inline LOCKSTEP_ABI::detail::simd {

/// The bits of 2^exponent / pi from the one of weight 1 on. Requires -3 <= exponent <= 105.
LOCKSTEP_INLINE void inverse_of_pi(int exponent, std::uint64_t& high, std::uint64_t& low) {
  constexpr std::uint64_t bits[] = {0, 0x517cc1b727220a94, 0xfe13abe8fa9a6ee0, 0x6db14acc9e21c820,
                                    0xff28b1d5ef5de2b0};
  const int first = exponent + 63, word = first / 64, skipped = first % 64;
  // A shift by 64 would be undefined.
  high = bits[word] << skipped | bits[word + 1] >> 1 >> (63 - skipped);
  low = bits[word + 1] << skipped | bits[word + 2] >> 1 >> (63 - skipped);
}

/// A large angle as 2^(1 - doubled) half turns, plus `offset` of them in units of 2^-63: the rest after rounding to an
/// integer, in radians, and whether that is odd. Multiples of two half turns change nothing and are not computed; the
/// rest is off by 2^-61, at least 2^-32 of itself.
struct ReducedAngle {
  double rest;
  bool odd;
};
/// Requires a finite x of at least 2^20, without its sign.
inline ReducedAngle reduced_large_angle(float x, int doubled, std::uint64_t offset) {
  const auto encoding = same_bits<std::uint32_t>(x);
  const std::uint64_t significand = (encoding & 0x007fffffu) | 0x00800000u;
  std::uint64_t high, low;
  inverse_of_pi(static_cast<int>(encoding >> 23) - 150 + doubled, high, low);
  const std::uint64_t turns = significand * high + (significand * (low >> 32) >> 32) + offset;
  const std::uint64_t n = (turns + (std::uint64_t{1} << 62)) >> 63;
  const auto rest = static_cast<std::int64_t>(turns - (n << 63));
  constexpr double pi = 0x1.921fb54442d18p1;
  return {static_cast<double>(rest) * (doubled != 0 ? 0x1p-64 : 0x1p-63) * pi, n != 0};
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail::simd
