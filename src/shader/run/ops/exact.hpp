#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "shader/run/ops/number.hpp"

/// \file
/// Numbers with more digits than any format has, and what is left of them when they are rounded towards zero.

namespace lockstep::spirv {

__extension__ using Wide = unsigned __int128;

/// A binary format: digits of the significand with the leading one, and the exponent of the smallest normal number.
template <class T>
struct FormatOf;
template <>
struct FormatOf<float16_t> {
  using Bits = std::uint16_t;
  static constexpr int digits = 11, least_exponent = -14;
};
template <>
struct FormatOf<float> {
  using Bits = std::uint32_t;
  static constexpr int digits = 24, least_exponent = -126;
};
template <>
struct FormatOf<double> {
  using Bits = std::uint64_t;
  static constexpr int digits = 53, least_exponent = -1022;
};

/// magnitude * 2^exponent, other than zero.
struct Exact {
  bool negative = false;
  Wide magnitude = 0;
  int exponent = 0;
};

inline int width_of(Wide x) {
  const auto high = static_cast<std::uint64_t>(x >> 64);
  return high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                   : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(x)));
}

template <class T>
bool is_plain(T x) {
  const auto value = static_cast<double>(x);
  return std::isfinite(value) && value != 0;
}

/// Of a number that is_plain.
template <class T>
Exact exact(T x) {
  using F = FormatOf<T>;
  using Bits = typename F::Bits;
  const auto bits = std::uint64_t{std::bit_cast<Bits>(x)};
  constexpr std::uint64_t leading = std::uint64_t{1} << (F::digits - 1);
  constexpr int exponent_bits = static_cast<int>(8 * sizeof(Bits)) - F::digits;
  const auto exponent = static_cast<int>(bits >> (F::digits - 1) & ((1u << exponent_bits) - 1));
  const std::uint64_t fraction = bits & (leading - 1);
  return {bits >> (8 * sizeof(Bits) - 1) != 0, exponent == 0 ? fraction : fraction | leading,
          F::least_exponent - F::digits + 1 + (exponent == 0 ? 0 : exponent - 1)};
}

/// The number of the format that is nearest to an exact one among those that are not farther from zero.
template <class T>
T cut_off(const Exact& x) {
  using F = FormatOf<T>;
  using Bits = typename F::Bits;
  constexpr int smallest = F::least_exponent - F::digits + 1;
  constexpr std::uint64_t leading = std::uint64_t{1} << (F::digits - 1);
  // The exponent of the last digit that is kept.
  const int last = std::max(smallest, x.exponent + width_of(x.magnitude) - F::digits);
  const int drop = last - x.exponent;
  const Wide kept = drop >= 128 ? 0 : drop >= 0 ? x.magnitude >> drop : x.magnitude << -drop;
  const auto digits = static_cast<std::uint64_t>(kept);
  constexpr std::uint64_t infinite = (std::uint64_t{1} << (8 * sizeof(Bits) - 1)) - leading;
  std::uint64_t bits = digits;
  if (digits >= leading) bits += static_cast<std::uint64_t>(last - smallest) * leading;
  if (digits >= leading && last - smallest > 1 - 2 * F::least_exponent) bits = infinite - 1;
  const std::uint64_t sign = std::uint64_t{x.negative} << (8 * sizeof(Bits) - 1);
  return std::bit_cast<T>(static_cast<Bits>(bits | sign));
}

/// With the highest digit in place 125, so that sums have room.
inline Exact shifted_up(Exact x) {
  const int by = 126 - width_of(x.magnitude);
  x.magnitude <<= by;
  x.exponent -= by;
  return x;
}

/// The sum, or a number between it and zero with more digits than any format has. Zero if it is zero.
inline Exact sum(const Exact& a, const Exact& b) {
  Exact large = shifted_up(a), small = shifted_up(b);
  const auto is_below = [](const Exact& x, const Exact& y) {
    return x.exponent != y.exponent ? x.exponent < y.exponent : x.magnitude < y.magnitude;
  };
  if (is_below(large, small)) std::swap(large, small);
  const int by = large.exponent - small.exponent;
  const Wide kept = by >= 128 ? 0 : small.magnitude >> by;
  const bool lost = by >= 128 || kept << by != small.magnitude;
  if (large.negative == small.negative)
    large.magnitude += kept;
  else
    large.magnitude -= kept + (lost ? 1 : 0);
  return large;
}

template <class T>
T add_to_zero(T a, T b) {
  if (!is_plain(a) || !is_plain(b)) return a + b;
  const Exact all = sum(exact(a), exact(b));
  return all.magnitude == 0 ? T(0.0f) : cut_off<T>(all);
}

}  // namespace lockstep::spirv
