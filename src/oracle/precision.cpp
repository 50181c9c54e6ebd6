#include "oracle/precision.hpp"

#include <algorithm>
#include <cmath>

namespace lockstep::oracle {
namespace {

constexpr Interval one = Interval::point(1), half = Interval::point(0.5);

/// The highest number that is at most `count` units in the last place from one in the interval.
double highest(const Interval& exact, double count, const Format& format) {
  if (std::isinf(exact.high)) return exact.high;
  const auto above = [&](double x) { return x + count * ulp(x, format); };
  if (exact.high > 0) return above(exact.high);
  // Towards zero units get smaller at each power of two, so the greatest may be just below one.
  double most = above(exact.high);
  int exponent = format.least_exponent;
  if (exact.high < 0 && std::frexp(exact.high, &exponent) == -0.5) --exponent;
  const double power = -std::ldexp(1.0, std::max(exponent, format.least_exponent));
  if (power > exact.low) most = std::max(most, power + 2 * count * ulp(power, format));
  return most;
}

/// A little more, for the rounding of the bounds themselves.
Interval with_slack(const Interval& numbers, const Format& format) {
  const auto slack = [](double x) { return std::isinf(x) ? 0 : std::abs(x) * 0x1p-51; };
  if (format.bytes == 8)
    return {std::nextafter(numbers.low, -HUGE_VAL), std::nextafter(numbers.high, HUGE_VAL)};
  return {numbers.low - slack(numbers.low), numbers.high + slack(numbers.high)};
}

Interval outward(const Interval& numbers, const Precision& precision) {
  return correctly_rounded(with_slack(numbers, precision.format), precision);
}

/// The numbers of the format between two bounds. Beyond the largest number, and where there are none, those around.
Interval inward(const Interval& numbers, const Precision& precision) {
  const Format& format = precision.format;
  const Interval wide = with_slack(numbers, format);
  const Interval inside{round_up(wide.low, format), round_down(wide.high, format)};
  const bool overflows = wide.low < -format.largest || wide.high > format.largest;
  if (precision.wider || overflows || inside.low > inside.high)
    return correctly_rounded(wide, precision);
  return flushed(inside, precision);
}

Interval added(const Interval& a, const Interval& b, const Precision& p) {
  return correctly_rounded(a + b, p);
}
Interval multiplied(const Interval& a, const Interval& b, const Precision& p) {
  return correctly_rounded(a * b, p);
}

bool is_half(const Precision& p) { return p.format.bytes == 2; }

/// Units in the last place that the exponential functions may be off.
double exponential_ulps(const Interval& x, const Precision& p) {
  return (is_half(p) ? 1 : 3) + 2 * x.magnitude();
}
/// The absolute error of log and log2 between 0.5 and 2, and relative elsewhere.
Interval logarithm(const Interval& x, Interval (*f)(const Interval&), const Precision& p) {
  const double error = is_half(p) ? 0x1p-7 : 0x1p-21;
  Interval result{HUGE_VAL, -HUGE_VAL};
  const auto add = [&](const Interval& part, bool is_near) {
    if (part.low > part.high) return;
    const Interval exact = f(part);
    result = hull(result, is_near ? within(exact, error, p) : within_ulps(exact, 3, p));
  };
  add({x.low, std::min(x.high, 0.5)}, false);
  add({std::max(x.low, 0.5), std::min(x.high, 2.0)}, true);
  add({std::max(x.low, 2.0), x.high}, false);
  return result;
}

/// The absolute error of sin and cos in [-pi, pi]; beyond, only their range is known.
Interval wave(const Interval& x, Interval (*f)(const Interval&), const Precision& p) {
  const double error = is_half(p) ? 0x1p-7 : 0x1p-11;
  constexpr double pi = 3.14159265358979323846;
  const bool is_near = x.low >= -pi && x.high <= pi;
  return within(is_near ? f(x) : Interval{-1, 1}, error, p);
}

}  // namespace

Interval flushed(const Interval& numbers, const Precision& precision) {
  const double normal = precision.format.smallest_normal;
  const bool meets = numbers.low < normal && numbers.high > -normal;
  if (!precision.flushes || !meets) return numbers;
  return hull(numbers, Interval::point(0));
}

Interval correctly_rounded(const Interval& exact, const Precision& precision) {
  const Format& format = precision.format;
  Interval numbers{round_down(exact.low, format), round_up(exact.high, format)};
  if (precision.nearest)
    numbers = {round_to_nearest(exact.low, format), round_to_nearest(exact.high, format)};
  if (precision.to_zero)
    numbers = {exact.low < 0 ? round_up(exact.low, format) : numbers.low,
               exact.high > 0 ? round_down(exact.high, format) : numbers.high};
  return flushed(numbers, precision);
}

Interval within_ulps(const Interval& exact, double count, const Precision& precision) {
  const Interval wider{-highest(-exact, count, precision.format),
                       highest(exact, count, precision.format)};
  return inward(wider, precision);
}

Interval within(const Interval& exact, double error, const Precision& precision) {
  return inward({exact.low - error, exact.high + error}, precision);
}

Interval inherited(const Interval& exact, const Interval& formula, const Precision& precision) {
  if (!formula.is_finite() || !exact.is_finite()) return formula;
  const double error =
      std::max({0.0, exact.low - formula.low, formula.high - exact.high}) * (1 + 0x1p-50);
  return within(exact, error, precision);
}

Interval divided(const Interval& a, const Interval& b, const Precision& precision) {
  return within_ulps(a / b, 2.5, precision);
}
Interval exp(const Interval& x, const Precision& precision) {
  return max(within_ulps(exp(x), exponential_ulps(x, precision), precision), Interval::point(0));
}
Interval exp2(const Interval& x, const Precision& precision) {
  return max(within_ulps(exp2(x), exponential_ulps(x, precision), precision), Interval::point(0));
}
Interval log(const Interval& x, const Precision& precision) {
  return logarithm(x, oracle::log, precision);
}
Interval log2(const Interval& x, const Precision& precision) {
  return logarithm(x, oracle::log2, precision);
}
Interval inverse_sqrt(const Interval& x, const Precision& precision) {
  return within_ulps(one / oracle::sqrt(x), 2, precision);
}
Interval sqrt(const Interval& x, const Precision& precision) {
  return inherited(oracle::sqrt(x), divided(one, inverse_sqrt(x, precision), precision), precision);
}
Interval sqrt_from_zero(const Interval& x, const Precision& precision) {
  if (x.low > 0) return sqrt(x, precision);
  if (x.high <= 0) return Interval::point(0);
  const Interval largest = Interval::point(std::max(x.high, precision.format.smallest_normal));
  return {0, sqrt(largest, precision).high};
}
Interval pow_from_zero(const Interval& x, const Interval& y, const Precision& precision) {
  if (x.low > 0) return pow(x, y, precision);
  const double normal = precision.format.smallest_normal;
  return {0, pow({normal, std::max(x.high, normal)}, y, precision).high};
}
Interval pow(const Interval& x, const Interval& y, const Precision& precision) {
  const Interval power = multiplied(y, log2(x, precision), precision);
  return max(inherited(oracle::pow(x, y), exp2(power, precision), precision), Interval::point(0));
}
Interval sin(const Interval& x, const Precision& precision) {
  return wave(x, oracle::sin, precision);
}
Interval cos(const Interval& x, const Precision& precision) {
  return wave(x, oracle::cos, precision);
}
Interval tan(const Interval& x, const Precision& precision) {
  const Interval formula = divided(sin(x, precision), cos(x, precision), precision);
  return inherited(oracle::tan(x), formula, precision);
}
Interval asin(const Interval& x, const Precision& precision) {
  const Interval rest = added(one, -multiplied(x, x, precision), precision);
  const Interval formula = atan2(x, sqrt(max(rest, Interval::point(0)), precision), precision);
  return inherited(oracle::asin(x), formula, precision);
}
Interval acos(const Interval& x, const Precision& precision) {
  const Interval rest = added(one, -multiplied(x, x, precision), precision);
  const Interval formula = atan2(sqrt(max(rest, Interval::point(0)), precision), x, precision);
  return inherited(oracle::acos(x), formula, precision);
}
Interval atan(const Interval& x, const Precision& precision) {
  return within_ulps(oracle::atan(x), is_half(precision) ? 5 : 4096, precision);
}
Interval atan2(const Interval& y, const Interval& x, const Precision& precision) {
  return within_ulps(oracle::atan2(y, x), is_half(precision) ? 5 : 4096, precision);
}
Interval sinh(const Interval& x, const Precision& precision) {
  const Interval difference = added(exp(x, precision), -exp(-x, precision), precision);
  return inherited(oracle::sinh(x),
                   hull(multiplied(difference, half, precision),
                        divided(difference, Interval::point(2), precision)),
                   precision);
}
Interval cosh(const Interval& x, const Precision& precision) {
  const Interval total = added(exp(x, precision), exp(-x, precision), precision);
  return inherited(
      oracle::cosh(x),
      hull(multiplied(total, half, precision), divided(total, Interval::point(2), precision)),
      precision);
}
Interval tanh(const Interval& x, const Precision& precision) {
  const Interval formula = divided(sinh(x, precision), cosh(x, precision), precision);
  return inherited(oracle::tanh(x), formula, precision);
}
Interval asinh(const Interval& x, const Precision& precision) {
  const Interval root = sqrt(added(multiplied(x, x, precision), one, precision), precision);
  const Interval formula = log(added(x, root, precision), precision);
  return inherited(oracle::asinh(x), formula, precision);
}
Interval acosh(const Interval& x, const Precision& precision) {
  const Interval square = added(multiplied(x, x, precision), -one, precision);
  const Interval factored =
      multiplied(added(x, one, precision), added(x, -one, precision), precision);
  const Interval root = sqrt(max(hull(square, factored), Interval::point(0)), precision);
  const Interval formula = log(added(x, root, precision), precision);
  return inherited(oracle::acosh(x), formula, precision);
}
Interval atanh(const Interval& x, const Precision& precision) {
  const Interval ratio = divided(added(one, x, precision), added(one, -x, precision), precision);
  return inherited(oracle::atanh(x), multiplied(log(ratio, precision), half, precision), precision);
}

Interval smooth_step(const Interval& edge0, const Interval& edge1, const Interval& x,
                     const Precision& precision) {
  const Interval ratio =
      divided(added(x, -edge0, precision), added(edge1, -edge0, precision), precision);
  const Interval t = min(max(ratio, Interval::point(0)), one);
  // t * t * (3 - 2 * t) rises between 0 and 1; the operations and every rearrangement add five roundings at most.
  const auto at = [](double v) {
    return Interval::point(v) * Interval::point(v) * Interval{3 - 2 * v, 3 - 2 * v};
  };
  const double slack = std::expm1(5 * std::log1p(precision.format.epsilon)) * 5;
  // Three products, which may become zero.
  const double lost = precision.flushes ? 4 * precision.format.smallest_normal : 0;
  const Interval result{std::max(0.0, at(t.low).low * (1 - slack) - lost),
                        at(t.high).high * (1 + slack) + lost};
  return flushed(outward(result, precision), precision);
}

}  // namespace lockstep::oracle
