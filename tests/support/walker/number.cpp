#include "support/walker/number.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace lockstep::walker {

namespace {

/// The digits of a format and the exponent of its smallest positive number and of the first that is too large.
struct Format {
  int digits, smallest, limit;
};
constexpr Format format_of(int width) {
  return width == 16   ? Format{11, -24, 16}
         : width == 32 ? Format{24, -149, 128}
                       : Format{53, -1074, 1024};
}

std::uint64_t sign_bit(int width) { return std::uint64_t{1} << (width - 1); }

std::uint64_t infinity(int width) {
  return width == 16 ? 0x7c00 : width == 32 ? 0x7f800000 : 0x7ff0000000000000;
}

}  // namespace

double to_double(std::uint64_t bits, int width) {
  if (width == 64) return std::bit_cast<double>(bits);
  if (width == 32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31)
    return sign * (fraction == 0 ? std::numeric_limits<double>::infinity()
                                 : std::numeric_limits<double>::quiet_NaN());
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(fraction + 1024, exponent - 25);
}

std::uint64_t from_double(double x, int width) {
  if (width == 64) return std::bit_cast<std::uint64_t>(x);
  if (width == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(x));
  if (x == 0) return std::signbit(x) ? sign_bit(width) : 0;
  return from_real(Real(x), width);
}

Real to_real(std::uint64_t bits, int width) { return Real(to_double(bits, width)); }

std::uint64_t from_real(const Real& x, int width) {
  if (isnan(x)) return infinity(width) | infinity(width) >> 1;
  const std::uint64_t sign = signbit(x) != 0 ? sign_bit(width) : 0;
  if (isinf(x)) return sign | infinity(width);
  const Real magnitude = abs(x);
  if (magnitude == 0) return sign;
  const Format format = format_of(width);
  int exponent = 0;
  frexp(magnitude, &exponent);  // below 2^exponent
  const int unit = std::max(exponent - format.digits, format.smallest);
  const Real scaled = ldexp(magnitude, -unit);
  Real whole = floor(scaled);
  const Real rest = scaled - whole;
  auto steps = whole.convert_to<std::uint64_t>();
  if (rest > 0.5 || (rest == 0.5 && steps % 2 == 1)) ++steps;
  // steps has at most `digits` bits, or is the next power of two. Consecutive numbers have consecutive bits.
  const auto binade = static_cast<std::uint64_t>(unit - format.smallest);
  const std::uint64_t bits = (binade << (format.digits - 1)) + steps;
  return sign | std::min(bits, infinity(width));
}

}  // namespace lockstep::walker
