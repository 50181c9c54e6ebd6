#include "oracle/allowed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::oracle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// More, by the rounding of a few doubles.
double up(double x) { return x * (1 + 0x1p-48); }

/// The exponent of the lowest bit of a number.
double lowest_bit(double x) {
  // Zero is a multiple of everything.
  if (x == 0) return 1 << 12;
  int exponent = 0;
  double significand = std::abs(std::frexp(x, &exponent));
  while (significand != std::floor(significand)) {
    significand *= 2;
    --exponent;
  }
  return exponent;
}

/// (1 + epsilon)^count - 1: the relative error of that many roundings.
double roundings(double count, const Format& format) {
  return up(std::expm1(count * std::log1p(format.epsilon)));
}

/// The exponent of the smallest number other than zero that is not lost.
double least_kept(const Expression& e, const Precision& precision) {
  const Format& format = precision.format;
  return precision.flushes || e.flushes ? format.least_exponent
                                        : format.least_exponent - format.digits + 1;
}

/// Whether every order of the operations is exact, because all partial results fit the significand and none is so small
/// that it may be lost.
bool is_always_exact(const Expression& e, const Precision& precision) {
  return e.value.is_point() && e.trough >= least_kept(e, precision) &&
         e.magnitude <=
             std::ldexp(1.0, static_cast<int>(std::max(e.unit + precision.format.digits, -1100.0)));
}

/// How far intermediate denormals that become zero, or lose bits, take the result.
double underflow(const Expression& e, const Precision& precision, double relative) {
  const double lost =
      precision.flushes || e.flushes ? precision.format.smallest_normal : precision.format.smallest;
  const double operations = 2 * e.terms * e.degree;
  return up(operations * lost * e.terms * e.peak * (1 + relative) * (1 + relative));
}

}  // namespace

const Allowed& weaker(const Allowed& a, const Allowed& b) {
  using Kind = Allowed::Kind;
  const auto rank = [](Kind kind) {
    return kind == Kind::undefined   ? 4
           : kind == Kind::open      ? 3
           : kind == Kind::unordered ? 2
           : kind == Kind::within    ? 1
                                     : 0;
  };
  return rank(b.kind) > rank(a.kind) ? b : a;
}

Expression leaf(const Interval& values) {
  Expression e;
  e.value = values;
  e.magnitude = values.magnitude();
  e.peak = std::max(1.0, e.magnitude);
  e.unit = values.is_point() ? lowest_bit(values.low) : -infinity;
  e.trough = std::min(0.0, e.unit);
  return e;
}

Allowed numbers(const Interval& values, std::uint32_t origin) {
  return {.kind = Allowed::Kind::within, .origin = origin, .values = values, .real = leaf(values)};
}

Allowed integers(const Interval& values, std::uint32_t origin) {
  Allowed all = numbers(values, origin);
  all.whole = true;
  return all;
}

bool is_whole(const Allowed& number) {
  return number.whole ||
         (number.values.is_point() && std::trunc(number.values.low) == number.values.low);
}

Allowed word_of(const Pieces& pieces, std::uint32_t origin) {
  constexpr double most = 0xffffffff;
  return {.kind = Allowed::Kind::within,
          .why = Why::conversion,
          .origin = origin,
          .values = {0, most},
          .pieces = pieces};
}

Allowed evaluated(const Expression& e, const Precision& precision, std::uint32_t origin) {
  using Kind = Allowed::Kind;
  const Format& format = precision.format;
  const double relative = roundings(e.terms + e.degree - 2, format);
  const double error = up(relative * e.magnitude) + underflow(e, precision, relative);
  if (!(up(e.magnitude + error) <= format.largest)) {
    const bool is_possible = e.value.low < format.largest && e.value.high > -format.largest;
    return any(is_possible ? Kind::open : Kind::undefined, Why::overflow, origin);
  }
  if (!(up(e.peak * (1 + relative)) <= format.largest))
    return any(Kind::open, Why::rearrangement, origin);
  Allowed result{.kind = Kind::within, .origin = origin, .real = e};
  result.real.flushes = e.flushes || precision.flushes;
  if (is_always_exact(e, precision)) {
    result.values = e.value;
    return result;
  }
  // The last operation, in whatever order, rounds what the others have given.
  const double before = up(roundings(std::max(0.0, e.terms + e.degree - 3), format) * e.magnitude) +
                        underflow(e, precision, relative);
  result.values = correctly_rounded({e.value.low - before, e.value.high + before}, precision);
  return result;
}

Expression operator-(const Expression& a) {
  Expression e = a;
  e.value = -a.value;
  return e;
}

Expression operator+(const Expression& a, const Expression& b) {
  return {.value = a.value + b.value,
          .magnitude = up(a.magnitude + b.magnitude),
          .terms = a.terms + b.terms,
          .degree = std::max(a.degree, b.degree),
          .peak = std::max(a.peak, b.peak),
          .unit = std::min(a.unit, b.unit),
          .trough = std::min(a.trough, b.trough),
          .flushes = a.flushes || b.flushes};
}

Expression operator*(const Expression& a, const Expression& b) {
  return {.value = a.value * b.value,
          .magnitude = up(a.magnitude * b.magnitude),
          .terms = a.terms * b.terms,
          .degree = a.degree + b.degree,
          .peak = up(a.peak * b.peak),
          .unit = a.unit + b.unit,
          .trough = a.trough + b.trough,
          .flushes = a.flushes || b.flushes};
}

Allowed any_order_sum(std::span<const Allowed> terms, const Precision& precision,
                      std::uint32_t origin) {
  Expression sum;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const Expression term = leaf(terms[k].values);
    sum = k == 0 ? term : sum + term;
  }
  if (terms.empty()) sum = leaf(Interval::point(0));
  const Allowed result = evaluated(sum, precision, origin);
  return result.kind == Allowed::Kind::within ? numbers(result.values, origin) : result;
}

Allowed any_order_product(std::span<const Allowed> factors, const Precision& precision,
                          std::uint32_t origin) {
  Expression product = leaf(Interval::point(1));
  for (const Allowed& factor : factors) product = product * leaf(factor.values);
  // The one does not count.
  product.degree = std::max<double>(1, static_cast<double>(factors.size()));
  const Allowed result = evaluated(product, precision, origin);
  return result.kind == Allowed::Kind::within ? numbers(result.values, origin) : result;
}

}  // namespace lockstep::oracle
