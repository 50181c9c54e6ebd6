#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <lockstep/config.hpp>

/// \file
/// Arithmetic of one lane: the single place that defines each operation where C++ itself leaves it
/// undefined (wrapping, division by zero, shift counts, conversion out of range).

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// Types beyond C++'s own that behave as floating point; lanes/float16.hpp adds one.
template <class T>
inline constexpr bool is_float = std::is_floating_point_v<T>;

template <class T>
concept Floating = is_float<T>;
template <class T>
concept Integer = std::is_integral_v<T> && !std::same_as<T, bool>;
template <class T>
concept Number = Integer<T> || Floating<T>;

// Unsigned arithmetic of at least int's width, so that small types do not overflow a promoted int.
template <class T>
using Wide = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;

/// std::bit_cast without its late inlining in g++ 12, where thousands of calls multiplied the compile time.
template <class To, class From>
LOCKSTEP_INLINE constexpr To same_bits(const From& from) {
  return __builtin_bit_cast(To, from);
}

namespace scalar {

template <Number T>
LOCKSTEP_INLINE constexpr T add(T a, T b) {
  if constexpr (Integer<T>)
    return static_cast<T>(static_cast<Wide<T>>(a) + static_cast<Wide<T>>(b));
  else
    return a + b;
}

template <Number T>
LOCKSTEP_INLINE constexpr T sub(T a, T b) {
  if constexpr (Integer<T>)
    return static_cast<T>(static_cast<Wide<T>>(a) - static_cast<Wide<T>>(b));
  else
    return a - b;
}

template <Number T>
LOCKSTEP_INLINE constexpr T mul(T a, T b) {
  if constexpr (Integer<T>)
    return static_cast<T>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
  else
    return a * b;
}

/// Quotient, truncated for integers. An integer divided by zero gives 0; the most negative integer
/// divided by -1 wraps to itself.
template <Number T>
LOCKSTEP_INLINE constexpr T div(T a, T b) {
  if constexpr (Floating<T>) {
    return a / b;
  } else {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return sub(T{0}, a);
    }
    return static_cast<T>(a / b);
  }
}

/// Remainder with the divisor's sign, as SPIR-V OpSMod and OpUMod. A remainder by zero gives 0.
template <Integer T>
LOCKSTEP_INLINE constexpr T mod(T a, T b) {
  if (b == 0) return 0;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
    const T rest = static_cast<T>(a % b);
    return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
  } else {
    return static_cast<T>(a % b);
  }
}

/// Shift counts wrap modulo the bit width.
template <Integer T>
LOCKSTEP_INLINE constexpr T shl(T a, T count) {
  const auto bits = static_cast<Wide<T>>(count) & (8 * sizeof(T) - 1);
  return static_cast<T>(static_cast<Wide<T>>(a) << bits);
}

/// Arithmetic for signed types, logical for unsigned ones; counts wrap modulo the bit width.
template <Integer T>
LOCKSTEP_INLINE constexpr T shr(T a, T count) {
  const auto bits = static_cast<Wide<T>>(count) & (8 * sizeof(T) - 1);
  return static_cast<T>(a >> bits);
}

// Exactly what the x86 instructions do: the second operand when a comparison with NaN fails.
template <Number T>
LOCKSTEP_INLINE constexpr T min(T a, T b) {
  return a < b ? a : b;
}
template <Number T>
LOCKSTEP_INLINE constexpr T max(T a, T b) {
  return a > b ? a : b;
}

// Rounding a double to float and then to a 16-bit float can be off by one unit. Rounding the first
// step to odd keeps a trace of the bits cut off, which makes the second rounding correct.
LOCKSTEP_INLINE constexpr float round_to_odd(double value) {
  const auto nearest = static_cast<float>(value);
  const auto back = static_cast<double>(nearest);
  const bool finite = back - back == 0.0;
  if (back == value || !finite) return nearest;
  auto bits = same_bits<std::uint32_t>(nearest);
  const bool away_from_zero = (back < 0 ? -back : back) > (value < 0 ? -value : value);
  if (away_from_zero) --bits;
  return same_bits<float>(bits | 1u);
}

/// GLSL's conversion between component types. A float outside the integer's range saturates and NaN
/// gives 0 (GLSL leaves both undefined), so that every back end agrees.
template <class To, class From>
LOCKSTEP_INLINE constexpr To convert(From value) {
  if constexpr (std::same_as<To, bool>) {
    return value != From(0);
  } else if constexpr (Integer<To> && Floating<From>) {
    using Real = std::conditional_t<sizeof(From) == 8, double, float>;
    const auto real = static_cast<Real>(value);
    // Both bounds are exact in Real: 2^n and -2^n, or 0.
    constexpr auto half = std::numeric_limits<To>::max() / 2 + 1;
    constexpr Real above = static_cast<Real>(half) * 2;
    constexpr Real lowest = static_cast<Real>(std::numeric_limits<To>::min());
    if (!(real == real)) return 0;
    if (real >= above) return std::numeric_limits<To>::max();
    if (real <= lowest) return std::numeric_limits<To>::min();
    return static_cast<To>(real);
  } else if constexpr (Floating<To> && sizeof(To) == 2 && std::same_as<From, double>) {
    return static_cast<To>(round_to_odd(value));
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace scalar
}  // namespace lockstep::inline LOCKSTEP_ABI::detail
