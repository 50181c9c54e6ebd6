#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

/// \file
/// Intervals of real numbers. Every function returns an interval that contains its exact result for all operands in
/// those given; +, -, *, / and the square root are the narrowest of doubles.

namespace lockstep::oracle {

struct Interval {
  double low = 0, high = 0;

  /// Of one number.
  static constexpr Interval point(double x) { return {x, x}; }
  static constexpr Interval all() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  constexpr bool is_point() const { return low == high; }
  constexpr bool contains(double x) const { return low <= x && x <= high; }
  constexpr bool is_finite() const {
    return low > -std::numeric_limits<double>::infinity() &&
           high < std::numeric_limits<double>::infinity();
  }
  /// The largest magnitude in it.
  double magnitude() const { return std::max(std::abs(low), std::abs(high)); }
  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

/// The smallest interval that contains both.
constexpr Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Interval operator-(const Interval& a);
Interval operator+(const Interval& a, const Interval& b);
Interval operator-(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, const Interval& b);
/// All reals if b contains 0.
Interval operator/(const Interval& a, const Interval& b);
Interval abs(const Interval& a);
Interval min(const Interval& a, const Interval& b);
Interval max(const Interval& a, const Interval& b);
/// Whole numbers.
Interval floor(const Interval& a);
Interval ceil(const Interval& a);
Interval trunc(const Interval& a);

// The part of an operand outside a function's domain has no result.

Interval sqrt(const Interval& a);
Interval exp(const Interval& a);
Interval exp2(const Interval& a);
Interval log(const Interval& a);
Interval log2(const Interval& a);
Interval sin(const Interval& a);
Interval cos(const Interval& a);
Interval tan(const Interval& a);  ///< all reals if a contains a pole
Interval asin(const Interval& a);
Interval acos(const Interval& a);
Interval atan(const Interval& a);
Interval atan2(const Interval& y, const Interval& x);
Interval sinh(const Interval& a);
Interval cosh(const Interval& a);
Interval tanh(const Interval& a);
Interval asinh(const Interval& a);
Interval acosh(const Interval& a);
Interval atanh(const Interval& a);
/// x to the power of y, for x > 0.
Interval pow(const Interval& x, const Interval& y);

}  // namespace lockstep::oracle
