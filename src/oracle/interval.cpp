#include "oracle/interval.hpp"

#include <cmath>
#include <initializer_list>

namespace lockstep::oracle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double below(double x) { return std::nextafter(x, -infinity); }
double above(double x) { return std::nextafter(x, infinity); }

/// A result rounded to the nearest double, and where the exact one lies: error is its sign relative to that.
struct Rounded {
  double nearest = 0;
  double error = 0;
  bool known = true;  ///< whether error is

  Interval interval() const {
    // An overflow: the exact result is finite.
    if (nearest == infinity) return {std::numeric_limits<double>::max(), infinity};
    if (nearest == -infinity) return {-infinity, -std::numeric_limits<double>::max()};
    if (!known) return {below(nearest), above(nearest)};
    return {error < 0 ? below(nearest) : nearest, error > 0 ? above(nearest) : nearest};
  }
};

/// Below this the error of a product may be no double.
constexpr double least_exact = 0x1p-960;

Rounded sum(double a, double b) {
  const double s = a + b;
  const double part = s - a;
  return {s, (a - (s - part)) + (b - part)};
}
Rounded product(double a, double b) {
  const double p = a * b;
  return {p, std::fma(a, b, -p), p == 0 ? a == 0 || b == 0 : std::abs(p) > least_exact};
}
Rounded quotient(double a, double b) {
  const double q = a / b;
  // The remainder has the sign of the error times that of b.
  const double rest = std::fma(-q, b, a);
  const bool known = a == 0 || (std::abs(q) > least_exact && std::abs(a) > least_exact);
  return {q, b < 0 ? -rest : rest, known};
}

bool is_infinite(double x) { return std::isinf(x); }

/// Operations on end points that may be infinite, where the limits are.
Interval sum_of(double a, double b) {
  if (is_infinite(a)) return Interval::point(a);
  if (is_infinite(b)) return Interval::point(b);
  return sum(a, b).interval();
}
Interval product_of(double a, double b) {
  if (a == 0 || b == 0) return Interval::point(0);
  if (is_infinite(a) || is_infinite(b)) return Interval::point(a * b);
  return product(a, b).interval();
}
Interval quotient_of(double a, double b) {
  if (a == 0 || is_infinite(b)) return Interval::point(0);
  if (is_infinite(a)) return Interval::point(a / b);
  return quotient(a, b).interval();
}

/// Around a result of the C library, whose functions are within a few units of the last place of a double.
Interval around(double x) {
  constexpr double relative = 0x1p-49;
  if (is_infinite(x))
    return x > 0 ? Interval{std::numeric_limits<double>::max(), x}
                 : Interval{x, -std::numeric_limits<double>::max()};
  const double slack = std::abs(x) * relative + std::numeric_limits<double>::denorm_min();
  return {x - slack, x + slack};
}

/// Of a function that rises everywhere on a.
template <class F>
Interval rising(F f, const Interval& a) {
  return {around(f(a.low)).low, around(f(a.high)).high};
}

Interval clipped(const Interval& a, double low, double high) {
  return {std::clamp(a.low, low, high), std::clamp(a.high, low, high)};
}

constexpr double pi = 3.14159265358979323846;

/// Whether offset + a whole multiple of the period lies in a, or nearly.
bool meets(const Interval& a, double offset, double period) {
  constexpr double slack = 1e-9;
  const double first = std::ceil((a.low - offset) / period - slack);
  return offset + first * period <= a.high + slack * std::max(1.0, std::abs(a.high));
}

/// Sine of numbers that are so large that the C library's reduction is all that is exact.
Interval wave(double (*f)(double), const Interval& a, double top, double bottom) {
  if (!a.is_finite() || a.high - a.low >= 2 * pi || a.magnitude() > 0x1p30) {
    if (a.is_point() && a.is_finite()) return clipped(around(f(a.low)), -1, 1);
    return {-1, 1};
  }
  Interval result = hull(around(f(a.low)), around(f(a.high)));
  if (a.is_point()) return clipped(result, -1, 1);
  if (meets(a, top, 2 * pi)) result.high = 1;
  if (meets(a, bottom, 2 * pi)) result.low = -1;
  return clipped(result, -1, 1);
}

}  // namespace

Interval operator-(const Interval& a) { return {-a.high, -a.low}; }
Interval operator+(const Interval& a, const Interval& b) {
  // Opposite infinities as end points: anything between.
  if (!a.is_finite() && !b.is_finite()) return Interval::all();
  return {sum_of(a.low, b.low).low, sum_of(a.high, b.high).high};
}
Interval operator-(const Interval& a, const Interval& b) { return a + -b; }
Interval operator*(const Interval& a, const Interval& b) {
  if (a == Interval::point(0) || b == Interval::point(0)) return Interval::point(0);
  Interval result = product_of(a.low, b.low);
  for (const Interval& corner :
       {product_of(a.low, b.high), product_of(a.high, b.low), product_of(a.high, b.high)})
    result = hull(result, corner);
  return result;
}
Interval operator/(const Interval& a, const Interval& b) {
  if (b.contains(0)) return Interval::all();
  if (!a.is_finite() && !b.is_finite()) return Interval::all();
  Interval result = quotient_of(a.low, b.low);
  for (const Interval& corner :
       {quotient_of(a.low, b.high), quotient_of(a.high, b.low), quotient_of(a.high, b.high)})
    result = hull(result, corner);
  return result;
}
Interval abs(const Interval& a) {
  if (a.low >= 0) return a;
  if (a.high <= 0) return -a;
  return {0, a.magnitude()};
}
Interval min(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::min(a.high, b.high)};
}
Interval max(const Interval& a, const Interval& b) {
  return {std::max(a.low, b.low), std::max(a.high, b.high)};
}
Interval floor(const Interval& a) { return {std::floor(a.low), std::floor(a.high)}; }
Interval ceil(const Interval& a) { return {std::ceil(a.low), std::ceil(a.high)}; }
Interval trunc(const Interval& a) { return {std::trunc(a.low), std::trunc(a.high)}; }

Interval sqrt(const Interval& a) {
  const auto root = [](double x) -> Interval {
    if (x <= 0) return Interval::point(0);
    const double r = std::sqrt(x);
    if (is_infinite(r) || x < 0x1p-900) return around(r);
    return Rounded{r, std::fma(-r, r, x)}.interval();
  };
  return {root(a.low).low, root(a.high).high};
}
Interval exp(const Interval& a) {
  return max(rising([](double x) { return std::exp(x); }, a), Interval::point(0));
}
Interval exp2(const Interval& a) {
  return max(rising([](double x) { return std::exp2(x); }, a), Interval::point(0));
}
Interval log(const Interval& a) {
  return rising([](double x) { return std::log(std::max(x, 0.0)); }, a);
}
Interval log2(const Interval& a) {
  return rising([](double x) { return std::log2(std::max(x, 0.0)); }, a);
}
Interval sin(const Interval& a) { return wave(std::sin, a, pi / 2, -pi / 2); }
Interval cos(const Interval& a) { return wave(std::cos, a, 0, pi); }
Interval tan(const Interval& a) { return sin(a) / cos(a); }
Interval asin(const Interval& a) {
  return rising([](double x) { return std::asin(x); }, clipped(a, -1, 1));
}
Interval acos(const Interval& a) {
  const Interval part = clipped(a, -1, 1);
  return {around(std::acos(part.high)).low, around(std::acos(part.low)).high};
}
Interval atan(const Interval& a) {
  return rising([](double x) { return std::atan(x); }, a);
}
Interval atan2(const Interval& y, const Interval& x) {
  // Across the negative axis the angle jumps.
  if (y.contains(0) && x.low <= 0) return {-around(pi).high, around(pi).high};
  const auto corner = [&](double b, double a) { return around(std::atan2(b, a)); };
  return hull(hull(corner(y.low, x.low), corner(y.low, x.high)),
              hull(corner(y.high, x.low), corner(y.high, x.high)));
}
Interval sinh(const Interval& a) {
  return rising([](double x) { return std::sinh(x); }, a);
}
Interval cosh(const Interval& a) {
  const Interval size = abs(a);
  return rising([](double x) { return std::cosh(x); }, size);
}
Interval tanh(const Interval& a) {
  return rising([](double x) { return std::tanh(x); }, a);
}
Interval asinh(const Interval& a) {
  return rising([](double x) { return std::asinh(x); }, a);
}
Interval acosh(const Interval& a) {
  return rising([](double x) { return std::acosh(std::max(x, 1.0)); }, a);
}
Interval atanh(const Interval& a) {
  return rising([](double x) { return std::atanh(x); }, clipped(a, -1, 1));
}
Interval pow(const Interval& x, const Interval& y) {
  const auto corner = [&](double a, double b) { return around(std::pow(std::max(a, 0.0), b)); };
  return hull(hull(corner(x.low, y.low), corner(x.low, y.high)),
              hull(corner(x.high, y.low), corner(x.high, y.high)));
}

}  // namespace lockstep::oracle
