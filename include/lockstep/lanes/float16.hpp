#pragma once

#include <bit>
#include <limits>
#include <type_traits>

#include <lockstep/lanes/detail/halves.hpp>
#include <lockstep/lanes/lanes.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

namespace detail {

/// The number with these bits of a binary16. A signalling NaN becomes quiet, as by the instruction.
LOCKSTEP_INLINE constexpr float float_from_half(std::uint16_t half) {
#if LOCKSTEP_REGISTER_BYTES > 0 && defined(__F16C__)
  if (!std::is_constant_evaluated()) return _cvtsh_ss(half);
#endif
  const std::uint32_t sign = (half & 0x8000u) << 16;
  const std::uint32_t exponent = half >> 10 & 0x1fu, fraction = half & 0x3ffu;
  if (exponent == 0)  // zero, or a multiple of the smallest number
    return same_bits<float>(same_bits<std::uint32_t>(static_cast<float>(fraction) * 0x1p-24f) |
                            sign);
  if (exponent == 0x1f)
    return same_bits<float>(sign | 0x7f800000u | fraction << 13 | (fraction != 0 ? 0x400000u : 0u));
  return same_bits<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

/// The bits of the nearest binary16, of the even one of two. NaN keeps its sign and upper bits.
LOCKSTEP_INLINE constexpr std::uint16_t half_from_float(float value) {
#if LOCKSTEP_REGISTER_BYTES > 0 && defined(__F16C__)
  if (!std::is_constant_evaluated()) return _cvtss_sh(value, 0);
#endif
  const auto bits = same_bits<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  const auto with_sign = [&](std::uint32_t half) {
    return static_cast<std::uint16_t>(sign | half);
  };
  if (magnitude > 0x7f800000u) return with_sign(0x7e00u | (magnitude >> 13 & 0x3ffu));
  if (magnitude >= 0x477ff000u) return with_sign(0x7c00u);  // 65520 and more round to infinity
  if (magnitude <
      0x38800000u) {  // below the normal numbers: the addition rounds to a multiple of 2^-24
    const float rounded = same_bits<float>(magnitude) + 0.5f;
    return with_sign(same_bits<std::uint32_t>(rounded) - same_bits<std::uint32_t>(0.5f));
  }
  return with_sign((magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13);
}

}  // namespace detail

/// GLSL's float16_t: an IEEE binary16 number.
///
/// Requires      None.
/// Active lanes  As for every Lanes.
/// Errors        None.
/// Cost          Each operation converts to float, computes and rounds back, which is the correctly
///               rounded result for + - * / and sqrt. With F16C (every AVX2 and AVX-512 processor),
///               + - * /, comparisons and selects process a register at a time; everything else,
///               and processors without F16C, process one lane at a time.
/// Spec          GLSL float16_t (GL_EXT_shader_explicit_arithmetic_types_float16) · SPIR-V
///               OpTypeFloat 16
/// Example       tests/lanes/float16.cpp
struct float16_t {
  /// As other numbers: without a value, or zero as float16_t().
  float16_t() = default;
  /// The nearest number. A double is rounded to float first.
  template <class T>
  requires std::is_arithmetic_v<T> LOCKSTEP_INLINE constexpr explicit float16_t(T value)
      : bits(detail::half_from_float(static_cast<float>(value))) {}

  LOCKSTEP_INLINE constexpr operator float() const { return detail::float_from_half(bits); }

#define LOCKSTEP_FLOAT16_OPERATOR(op)                                                     \
  LOCKSTEP_INLINE friend constexpr float16_t operator op(float16_t a, float16_t b) {      \
    return float16_t(static_cast<float>(a) op static_cast<float>(b));                     \
  }                                                                                       \
  LOCKSTEP_INLINE friend constexpr float16_t& operator op##=(float16_t& a, float16_t b) { \
    return a = a op b;                                                                    \
  }
  LOCKSTEP_FLOAT16_OPERATOR(+)
  LOCKSTEP_FLOAT16_OPERATOR(-)
  LOCKSTEP_FLOAT16_OPERATOR(*)
  LOCKSTEP_FLOAT16_OPERATOR(/)
#undef LOCKSTEP_FLOAT16_OPERATOR
  LOCKSTEP_INLINE friend constexpr float16_t operator-(float16_t a) {
    a.bits = static_cast<std::uint16_t>(a.bits ^ 0x8000u);
    return a;
  }

  std::uint16_t bits;
};

namespace detail {

template <>
inline constexpr bool is_float<float16_t> = true;

template <int N>
struct BatchOps<float16_t, N, false>
    : std::conditional_t<has_halves<float16_t, N>, HalfOps<float16_t, N>, LoopOps<float16_t, N>> {};

}  // namespace detail
}  // namespace lockstep::inline LOCKSTEP_ABI

template <>
struct std::numeric_limits<lockstep::float16_t> : std::numeric_limits<float> {
  using Half = lockstep::float16_t;

  static constexpr int digits = 11, digits10 = 3, max_digits10 = 5;
  static constexpr int min_exponent = -13, min_exponent10 = -4;
  static constexpr int max_exponent = 16, max_exponent10 = 4;

  static constexpr Half of(std::uint16_t bits) { return std::bit_cast<Half>(bits); }
  static constexpr Half min() { return of(0x0400); }
  static constexpr Half lowest() { return of(0xfbff); }
  static constexpr Half max() { return of(0x7bff); }
  static constexpr Half epsilon() { return of(0x1400); }
  static constexpr Half round_error() { return of(0x3800); }
  static constexpr Half infinity() { return of(0x7c00); }
  static constexpr Half quiet_NaN() { return of(0x7e00); }
  static constexpr Half signaling_NaN() { return of(0x7d00); }
  static constexpr Half denorm_min() { return of(0x0001); }
};
