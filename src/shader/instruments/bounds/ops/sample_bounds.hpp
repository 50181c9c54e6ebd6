#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "oracle/allowed.hpp"
#include "shader/run/ops/sample_look.hpp"

/// \file
/// Sets of places between texels, and of what is there.

namespace lockstep::spirv::sampling {

/// subTexelPrecisionBits and mipmapPrecisionBits are at least 4. A device that has more is not held to them: an NVIDIA H200
/// says 8, and its filter rounds the products of weights besides.
inline constexpr double least_step = 1.0 / 16;
/// How far a coordinate may be off, by its own computation.
inline constexpr double coordinate_error = 0x1p-17;

/// Where a device may see a place in an image of a size: around it, unless the steps that it has are enough and the
/// product with the size, a power of two, is exact.
inline oracle::Interval seen(const oracle::Interval& place, double size) {
  const double error = coordinate_error * std::max(size, place.magnitude());
  const double steps = place.low / least_step;
  int exponent = 0;
  const bool is_exact =
      place.is_point() && steps == std::floor(steps) && std::frexp(size, &exponent) == 0.5;
  const double off = is_exact ? error : least_step + error;
  return {place.low - off, place.high + off};
}

/// The ends of an interval and the whole numbers between them. Between two of these a linear filter is linear.
inline std::vector<double> corners_of(const oracle::Interval& place) {
  std::vector<double> all{place.low, place.high};
  for (double whole = std::ceil(place.low); whole <= place.high; ++whole) all.push_back(whole);
  return all;
}

/// Calls f with each choice of one of the places of every axis.
template <class F>
void for_each_corner(const std::array<std::vector<double>, 3>& places, std::size_t axes, F f) {
  std::array<std::size_t, 3> at{};
  for (;;) {
    f(std::array{places[0][at[0]], axes > 1 ? places[1][at[1]] : 0,
                 axes > 2 ? places[2][at[2]] : 0});
    std::size_t k = 0;
    while (k < axes && ++at[k] == places[k].size()) at[k++] = 0;
    if (k == axes) return;
  }
}

/// One set of numbers for each component of a texel, or of several that it may be.
struct Colours {
  std::array<oracle::Interval, 4> of{};
  double largest = 0;           ///< of all texels that are read
  TexelBits bits{};             ///< of integers
  bool is_one = true;           ///< whether it is the same integers everywhere
  bool is_none = false;         ///< nothing was added
  oracle::Allowed reason = {};  ///< why a texel is no number

  static Colours none() {
    Colours all;
    all.of.fill({HUGE_VAL, -HUGE_VAL});
    all.is_none = true;
    return all;
  }
  /// It may also be the other.
  void add(const Colours& other) {
    for (std::size_t k = 0; k < 4; ++k) of[k] = oracle::hull(of[k], other.of[k]);
    is_one = other.is_one && (is_none || (is_one && bits == other.bits));
    bits = other.bits;
    is_none = false;
    take(other);
  }
  /// The sum with a share of the other.
  void add_part(double part, const Colours& other) {
    const oracle::Interval share = oracle::Interval::point(part);
    for (std::size_t k = 0; k < 4; ++k) of[k] = of[k] + share * other.of[k];
    take(other);
  }

 private:
  void take(const Colours& other) {
    largest = std::max(largest, other.largest);
    reason = oracle::weaker(reason, other.reason);
  }
};

/// Whether a comparison holds: 0, 1, or both for numbers that may be either way round.
inline oracle::Interval compared(CompareOp op, const oracle::Interval& a,
                                 const oracle::Interval& b) {
  const auto between = [](bool can_fail, bool can_hold) {
    return oracle::Interval{can_fail ? 0.0 : 1.0, can_hold ? 1.0 : 0.0};
  };
  const bool meet = a.low <= b.high && b.low <= a.high;
  const bool same = a.is_point() && b.is_point() && meet;
  switch (op) {
    case CompareOp::never:
      return between(true, false);
    case CompareOp::always:
      return between(false, true);
    case CompareOp::less:
      return between(a.high >= b.low, a.low < b.high);
    case CompareOp::less_or_equal:
      return between(a.high > b.low, a.low <= b.high);
    case CompareOp::greater:
      return between(a.low <= b.high, a.high > b.low);
    case CompareOp::greater_or_equal:
      return between(a.low < b.high, a.high >= b.low);
    case CompareOp::equal:
      return between(!same, meet);
    case CompareOp::not_equal:
      return between(meet, !same);
  }
  return between(true, true);
}

}  // namespace lockstep::spirv::sampling
