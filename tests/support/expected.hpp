#pragma once

#include <cmath>

#include "support/values.hpp"

/// \file
/// The expected arithmetic of one lane, computed differently from the library: integers in 128 bits
/// and truncated at the end, 16-bit floats in double and rounded once by their definition.

namespace lockstep::test::expected {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

/// The value modulo 2^width of T, in T's range.
template <class T>
T wrap(Int128 value) {
  const Int128 modulus = Int128{1} << (8 * sizeof(T));
  Int128 rest = value % modulus;
  if (rest < 0) rest += modulus;
  if (rest > Int128{std::numeric_limits<T>::max()}) rest -= modulus;
  return static_cast<T>(rest);
}

inline Int128 floor_quotient(Int128 a, Int128 b) {
  const Int128 quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// A 16-bit float as a double, by its definition.
inline double half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 31) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  return exponent == 0 ? sign * std::ldexp(fraction, -24)
                       : sign * std::ldexp(1024 + fraction, exponent - 25);
}

/// The 16-bit float nearest to `value`, ties to even.
inline std::uint16_t half_bits(double value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double size = std::fabs(value);
  if (std::isnan(value)) return 0x7e00;
  if (size >= 65536.0) return sign | 0x7c00;
  int exponent = 0;
  std::frexp(size, &exponent);
  // The unit of the last place is 2^unit, and never below the smallest denormal.
  const int unit = exponent - 11 < -24 ? -24 : exponent - 11;
  const double units = std::ldexp(size, -unit);
  double whole = std::floor(units);
  const double rest = units - whole;
  if (rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2.0) == 1.0)) whole += 1.0;
  const int count = static_cast<int>(whole);
  // A count of 2048 carries into the exponent, up to infinity.
  const int bits = count < 1024 ? count : (unit + 25) * 1024 + (count - 1024);
  return static_cast<std::uint16_t>(sign | bits);
}

inline float16_t make_half(double value) { return std::bit_cast<float16_t>(half_bits(value)); }

/// The number in a type where + - * / are exact or correctly rounded: double for 16-bit floats.
template <class T>
auto widen(T value) {
  if constexpr (std::is_same_v<T, float16_t>)
    return half_value(bits_of(value));
  else if constexpr (is_floating<T>)
    return value;
  else
    return Int128{value};
}

template <class T>
T add(T a, T b) {
  if constexpr (std::is_same_v<T, float16_t>)
    return make_half(widen(a) + widen(b));
  else if constexpr (is_floating<T>)
    return a + b;
  else
    return wrap<T>(widen(a) + widen(b));
}
template <class T>
T sub(T a, T b) {
  if constexpr (std::is_same_v<T, float16_t>)
    return make_half(widen(a) - widen(b));
  else if constexpr (is_floating<T>)
    return a - b;
  else
    return wrap<T>(widen(a) - widen(b));
}
template <class T>
T mul(T a, T b) {
  if constexpr (std::is_same_v<T, float16_t>)
    return make_half(widen(a) * widen(b));
  else if constexpr (is_floating<T>)
    return a * b;
  // Unsigned, because the product of two 64-bit factors can exceed 2^127; 2^128 is a multiple of every modulus.
  else
    return wrap<T>(
        static_cast<Int128>(static_cast<Uint128>(widen(a)) * static_cast<Uint128>(widen(b))));
}
template <class T>
T div(T a, T b) {
  if constexpr (std::is_same_v<T, float16_t>) {
    // A double quotient has more than twice the digits of a 16-bit float, so rounding twice is
    // harmless.
    return make_half(widen(a) / widen(b));
  } else if constexpr (is_floating<T>) {
    return a / b;
  } else {
    return b == 0 ? T(0) : wrap<T>(widen(a) / widen(b));
  }
}
template <class T>
T mod(T a, T b) {
  if (b == 0) return 0;
  return wrap<T>(widen(a) - widen(b) * floor_quotient(widen(a), widen(b)));
}

template <class T>
int shift_count(T count) {
  const int bits = 8 * static_cast<int>(sizeof(T));
  return static_cast<int>((widen(count) % bits + bits) % bits);
}
template <class T>
T shl(T a, T count) {
  return wrap<T>(widen(a) * (Int128{1} << shift_count(count)));
}
template <class T>
T shr(T a, T count) {
  return wrap<T>(floor_quotient(widen(a), Int128{1} << shift_count(count)));
}

template <class T>
T neg(T a) {
  if constexpr (is_floating<T>) {
    // Also for zero and NaN, where subtracting from zero would be wrong.
    return std::bit_cast<T>(
        static_cast<BitsOf<T>>(bits_of(a) ^ (BitsOf<T>{1} << (8 * sizeof(T) - 1))));
  } else {
    return wrap<T>(-widen(a));
  }
}
template <class T>
T bit_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
T bit_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
T bit_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
T bit_not(T a) {
  return wrap<T>(-1 - widen(a));
}

template <class T>
bool equal(T a, T b) {
  return widen(a) == widen(b);
}
template <class T>
bool not_equal(T a, T b) {
  return widen(a) != widen(b);
}
template <class T>
bool less(T a, T b) {
  return widen(a) < widen(b);
}
template <class T>
bool less_equal(T a, T b) {
  return widen(a) <= widen(b);
}
template <class T>
bool greater(T a, T b) {
  return widen(a) > widen(b);
}
template <class T>
bool greater_equal(T a, T b) {
  return widen(a) >= widen(b);
}

/// The smaller one; b if neither is.
template <class T>
T min(T a, T b) {
  return less(a, b) ? a : b;
}
/// The larger one; b if neither is.
template <class T>
T max(T a, T b) {
  return greater(a, b) ? a : b;
}

/// GLSL's conversion, with a float outside the integer's range saturated and NaN turned into 0.
template <class To, class From>
To convert(From value) {
  if constexpr (std::is_same_v<From, bool>) {
    return value ? To(1) : To(0);
  } else if constexpr (std::is_same_v<To, bool>) {
    return widen(value) != 0;
  } else if constexpr (std::is_same_v<To, float16_t>) {
    return make_half(static_cast<double>(widen(value)));
  } else if constexpr (is_floating<To>) {
    return static_cast<To>(widen(value));
  } else if constexpr (is_floating<From>) {
    // long double holds every 64-bit integer.
    const auto real = static_cast<long double>(widen(value));
    if (std::isnan(real)) return 0;
    if (real >= static_cast<long double>(std::numeric_limits<To>::max()))
      return std::numeric_limits<To>::max();
    if (real <= static_cast<long double>(std::numeric_limits<To>::min()))
      return std::numeric_limits<To>::min();
    return static_cast<To>(std::trunc(real));
  } else {
    return wrap<To>(widen(value));
  }
}

}  // namespace lockstep::test::expected
