#include "oracle/field.hpp"

#include <cmath>

#include "oracle/precision.hpp"

namespace lockstep::oracle {
namespace {

/// Floats of 11 and 10 bits have the exponents of those with 16.
Format format_of(const Field& field) {
  const int fraction = static_cast<int>(field.bits) - 5;
  Format format = float16;
  format.digits = fraction + 1;
  format.epsilon = std::ldexp(1.0, -fraction);
  format.smallest = std::ldexp(format.smallest_normal, -fraction);
  format.largest = std::ldexp(2 - format.epsilon, 15);
  return format;
}

/// The bits of a float, which rise with it.
double bits_of(double x, const Format& format) {
  const double hidden = std::ldexp(1.0, format.digits - 1);
  if (std::isinf(x)) return 31 * hidden;
  if (x < format.smallest_normal) return x / format.smallest;
  const int exponent = std::ilogb(x);
  return (exponent + 14) * hidden + std::ldexp(x, format.digits - 1 - exponent);
}
double float_of(double bits, const Format& format) {
  const double hidden = std::ldexp(1.0, format.digits - 1), exponent = std::floor(bits / hidden);
  const double fraction = bits - exponent * hidden;
  if (exponent == 31) return HUGE_VAL;
  if (exponent == 0) return fraction * format.smallest;
  return std::ldexp(hidden + fraction, static_cast<int>(exponent) - 15 - (format.digits - 1));
}

double most_of(const Field& field) { return std::ldexp(1.0, static_cast<int>(field.bits)) - 1; }

}  // namespace

Interval stored(const Interval& numbers, const Field& field) {
  const Interval positive = max(numbers, Interval::point(0));
  if (!field.floating) {
    const Interval scaled = min(positive, Interval::point(1)) * Interval::point(most_of(field));
    return {std::floor(scaled.low), std::ceil(scaled.high)};
  }
  const Format format = format_of(field);
  const Interval rounded = correctly_rounded(positive, {.format = format});
  return {bits_of(rounded.low, format), bits_of(rounded.high, format)};
}

Interval loaded(const Field& field) {
  if (!field.floating) return field.values / Interval::point(most_of(field));
  const Format format = format_of(field);
  return flushed({float_of(field.values.low, format), float_of(field.values.high, format)},
                 {.format = format});
}

}  // namespace lockstep::oracle
