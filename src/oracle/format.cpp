#include "oracle/format.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace lockstep::oracle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The multiples of this around |x| are the format's numbers.
double quantum(double x, const Format& format) {
  const int exponent = std::max(std::ilogb(x), format.least_exponent);
  return std::ldexp(1.0, exponent - format.digits + 1);
}

}  // namespace

double from_bits(std::uint64_t bits, const Format& format) {
  if (format.bytes == 8) return std::bit_cast<double>(bits);
  if (format.bytes == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  const auto fraction = static_cast<double>(bits & 0x3ff);
  const int exponent = static_cast<int>(bits >> 10 & 0x1f);
  double value =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  if (exponent == 0x1f) value = fraction == 0 ? infinity : std::numeric_limits<double>::quiet_NaN();
  return (bits & 0x8000) != 0 ? -value : value;
}

double ulp(double x, const Format& format) {
  const double magnitude = std::min(std::abs(x), format.largest);
  int exponent = 0;
  // Of a power of two the significand is 0.5: its numbers below are the nearer ones.
  const double significand = std::frexp(magnitude, &exponent);
  if (magnitude == 0) return format.smallest;
  if (significand == 0.5) --exponent;
  return std::ldexp(1.0, std::max(exponent - 1, format.least_exponent) - format.digits + 1);
}

double round_down(double x, const Format& format) {
  if (std::isinf(x)) return x > 0 ? format.largest : x;
  if (x > format.largest) return format.largest;
  if (x < -format.largest) return -infinity;
  if (x == 0 || format.bytes == 8) return x;
  const double unit = quantum(x, format);
  return std::floor(x / unit) * unit;
}

double round_up(double x, const Format& format) { return -round_down(-x, format); }

double round_to_nearest(double x, const Format& format) {
  if (std::isinf(x) || x == 0 || format.bytes == 8) return x;
  const double unit = quantum(x, format);
  const double nearest = std::nearbyint(x / unit) * unit;
  return std::abs(nearest) > format.largest ? std::copysign(infinity, x) : nearest;
}

}  // namespace lockstep::oracle
