#pragma once

#include <random>
#include <stdexcept>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "oracle/format.hpp"

/// \file
/// A device that makes use of every freedom that Vulkan gives it: results are computed with 60 decimal digits and then
/// moved as far as is allowed, at random. Shares no code with the oracle but the names of the formats.

namespace lockstep::oracle_test {

using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<60>,
                                           boost::multiprecision::et_off>;
using oracle::Format;

/// No result: the device may give anything.
struct Undefined : std::runtime_error {
  Undefined() : std::runtime_error("undefined") {}
};

class LegalDevice {
 public:
  LegalDevice(const Format& format, std::uint64_t seed) : format_(format), random_(seed) {}
  /// One that gives what is exact, but for 60 digits.
  static LegalDevice exact(const Format& format) {
    LegalDevice device(format, 1);
    device.exact_ = true;
    return device;
  }

  std::mt19937_64& random() { return random_; }
  /// Results are the lowest or the highest that are allowed, for a direction of -1 or 1; at random for 0.
  void lean(int direction) { lean_ = direction; }
  bool coin() { return (random_() & 1) != 0; }
  double share() { return std::uniform_real_distribution<>(0, 1)(random_); }
  const Format& format() const { return format_; }

  /// A number as an operation may see it.
  Real operand(const Real& x) { return !exact_ && is_denormal(x) && coin() ? Real(0) : x; }

  /// One of the two numbers next to it, or itself.
  Real rounded(const Real& exact) {
    if (exact_) return exact;
    const bool down = lean_ == 0 ? coin() : lean_ < 0;
    return finish(down ? floor_to_format(exact) : -floor_to_format(-exact));
  }
  /// Any number at most `count` units in the last place away.
  Real within_ulps(const Real& exact, const Real& count) {
    return within(exact, count * ulp(exact));
  }
  /// Any number at most `error` away, most often one at the ends.
  Real within(const Real& exact, const Real& error) {
    if (exact_) return exact;
    const double end = lean_ == 0 ? share() : lean_ < 0 ? 0.2 : 0.5;
    const Real part = end < 0.3 ? Real(-1) : end < 0.6 ? Real(1) : Real(2 * share() - 1);
    const Real lowest = exact - error, highest = exact + error;
    Real result = floor_to_format(exact + part * error);
    if (result < lowest) result = -floor_to_format(-lowest);
    if (result > highest) result = floor_to_format(highest);
    return finish(result);
  }

  Real add(const Real& a, const Real& b) { return rounded(operand(a) + operand(b)); }
  Real multiply(const Real& a, const Real& b) { return rounded(operand(a) * operand(b)); }
  Real fused(const Real& a, const Real& b, const Real& c) {
    if (coin()) return add(multiply(a, b), c);
    return rounded(operand(a) * operand(b) + operand(c));
  }
  Real divide(const Real& a, const Real& b) {
    const Real x = operand(a), y = operand(b);
    if (y == 0) throw Undefined();
    return within_ulps(x / y, 2.5);
  }
  Real exp(const Real& a) {
    const Real x = operand(a);
    return max_of(within_ulps(boost::multiprecision::exp(x), exponential(x)), 0);
  }
  Real exp2(const Real& a) {
    const Real x = operand(a);
    return max_of(within_ulps(boost::multiprecision::pow(Real(2), x), exponential(x)), 0);
  }
  Real log(const Real& a) { return logarithm(a, Real(1)); }
  Real log2(const Real& a) { return logarithm(a, boost::multiprecision::log(Real(2))); }
  Real inverse_sqrt(const Real& a) {
    const Real x = operand(a);
    if (x <= 0) throw Undefined();
    return within_ulps(1 / boost::multiprecision::sqrt(x), 2);
  }
  Real sqrt(const Real& a) { return divide(1, inverse_sqrt(a)); }
  Real sin(const Real& a) { return within(boost::multiprecision::sin(operand(a)), wave_error()); }
  Real cos(const Real& a) { return within(boost::multiprecision::cos(operand(a)), wave_error()); }
  Real atan2(const Real& b, const Real& a) {
    const Real y = operand(b), x = operand(a);
    if (x == 0 && y == 0) throw Undefined();
    return within_ulps(boost::multiprecision::atan2(y, x), is_half() ? 5 : 4096);
  }

 private:
  static Real max_of(const Real& a, const Real& b) { return a < b ? b : a; }
  bool is_half() const { return format_.bytes == 2; }
  bool is_denormal(const Real& x) const {
    return x != 0 && boost::multiprecision::abs(x) < format_.smallest_normal;
  }
  Real exponential(const Real& x) const {
    return (is_half() ? 1 : 3) + 2 * boost::multiprecision::abs(x);
  }
  Real wave_error() const { return boost::multiprecision::ldexp(Real(1), is_half() ? -7 : -11); }
  Real logarithm(const Real& a, const Real& base) {
    const Real x = operand(a);
    if (x <= 0) throw Undefined();
    const Real exact = boost::multiprecision::log(x) / base;
    if (x < 0.5 || x > 2) return within_ulps(exact, 3);
    return within(exact, boost::multiprecision::ldexp(Real(1), is_half() ? -7 : -21));
  }

  Real spacing(const Real& x, bool below) const {
    int exponent = 0;
    const Real part = boost::multiprecision::frexp(boost::multiprecision::abs(x), &exponent);
    if (x == 0) return format_.smallest;
    if (below && part == 0.5) --exponent;
    const int least = format_.least_exponent;
    return boost::multiprecision::ldexp(Real(1),
                                        std::max(exponent - 1, least) - format_.digits + 1);
  }
  Real ulp(const Real& x) const { return spacing(x, true); }
  Real floor_to_format(const Real& x) const {
    const Real unit = spacing(x, false);
    return boost::multiprecision::floor(x / unit) * unit;
  }
  Real finish(const Real& x) {
    if (boost::multiprecision::abs(x) > format_.largest) throw Undefined();
    return operand(x);
  }

  Format format_;
  std::mt19937_64 random_;
  bool exact_ = false;
  int lean_ = 0;
};

}  // namespace lockstep::oracle_test
