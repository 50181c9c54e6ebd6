#pragma once

#include <cmath>
#include <limits>

#include "support/expected.hpp"

/// \file
/// The possible results of a float sum or product in any order of evaluation.
///
/// Notation: u is T's unit roundoff, u' that of long double, gamma(k, u) = k u / (1 - k u).
/// Rounding to nearest gives (a op b)(1 + d) with |d| <= u as long as the result neither overflows
/// nor, for products, falls below the smallest normal number. (A sum that small is exact.) A
/// product of up to k such factors (1 + d) lies within 1 +- gamma(k, u); k u < 1 always holds here,
/// as k < 128.

namespace lockstep::test {

/// The relative error of one rounding: half the distance from 1 to the next number.
template <class T>
constexpr long double unit_roundoff() {
  long double u = 1;
  for (int i = 0; i < std::numeric_limits<T>::digits; ++i) u /= 2;
  return u;
}

inline long double gamma_bound(int roundings, long double u) {
  const long double total = static_cast<long double>(roundings) * u;
  return total / (1 - total);
}

template <class T>
long double to_real(T value) {
  return static_cast<long double>(expected::widen(value));
}

/// The sums that any order of adding the given numbers may give.
///
/// Whatever the tree of additions over n numbers, number x_i passes at most n - 1 of them, so it
/// enters the result as x_i (1 + e_i) with |e_i| <= gamma(n - 1, u). Hence |sum - exact| <= gamma(n
/// - 1, u) S, where S is the sum of all |x_i|. Long double, added from left to right, holds `exact`
/// up to gamma(n - 1, u') S and S itself up to the factor 1 +- gamma(n - 1, u'). The last factor, 1
/// + 16 u', covers the handful of roundings in evaluating the formula.
template <class T>
class SumBound {
 public:
  void add(T value) {
    ++count_;
    exact_ += to_real(value);
    magnitude_ += std::fabs(to_real(value));
  }
  /// Whether no order can overflow, as the bound requires: no partial sum exceeds S (1 + gamma).
  bool applies() const {
    return magnitude_ * (1 + gamma_bound(count_ - 1, unit_roundoff<T>())) * (1 + 1e-6L) <=
           to_real(std::numeric_limits<T>::max());
  }
  bool holds(T result) const {
    const long double own = unit_roundoff<long double>();
    const long double widened = gamma_bound(count_ - 1, own);
    const long double width = (gamma_bound(count_ - 1, unit_roundoff<T>()) + widened) * magnitude_ /
                              (1 - widened) * (1 + 16 * own);
    return std::fabs(to_real(result) - exact_) <= width;
  }
  /// The value without any rounding, up to long double's own.
  long double exact() const { return exact_; }

 private:
  int count_ = 0;
  long double exact_ = 0, magnitude_ = 0;
};

/// The products that any order of multiplying the given numbers may give.
///
/// Whatever the tree, n numbers take n - 1 multiplications and each rounding scales the whole
/// product once, so the result is exact (1 + e) with |e| <= gamma(n - 1, u). Long double, from left
/// to right, holds `exact` with |e'| <= gamma(n - 1, u'). No partial product is larger than the
/// product of the factors above 1, or smaller than the product of those below 1.
template <class T>
class ProductBound {
 public:
  void add(T value) {
    ++count_;
    const long double size = std::fabs(to_real(value));
    exact_ *= to_real(value);
    (size > 1 ? largest_ : smallest_) *= size;
  }
  /// Whether no order can overflow or come below the smallest normal number, as the bound requires.
  bool applies() const {
    const long double spread = 1 + 2 * gamma_bound(count_ - 1, unit_roundoff<T>());
    return largest_ * spread <= to_real(std::numeric_limits<T>::max()) &&
           smallest_ >= spread * to_real(std::numeric_limits<T>::min());
  }
  bool holds(T result) const {
    const long double own = unit_roundoff<long double>();
    const long double widened = gamma_bound(count_ - 1, own);
    const long double width = (gamma_bound(count_ - 1, unit_roundoff<T>()) + widened) *
                              std::fabs(exact_) / (1 - widened) * (1 + 16 * own);
    return std::fabs(to_real(result) - exact_) <= width;
  }
  /// The value without any rounding, up to long double's own.
  long double exact() const { return exact_; }

 private:
  int count_ = 0;
  long double exact_ = 1, largest_ = 1, smallest_ = 1;
};

}  // namespace lockstep::test
