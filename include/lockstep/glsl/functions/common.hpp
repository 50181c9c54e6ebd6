#pragma once

#include <lockstep/lanes/detail/math.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// \defgroup common Common functions (GLSL 4.60, 8.3)
///
/// Requires      T is float, double or float16_t; abs, sign, min, max, clamp and mix(x, y, bool)
///               also take integer types. All arguments but one may be plain scalars: clamp(v, 0,
///               1).
/// Active lanes  All lanes are computed, including inactive ones.
/// Errors        None.
/// Cost          A few SIMD instructions per register of lanes; mostly one lane at a time for float16_t.
/// Spec          GLSL names as below · SPIR-V GLSL.std.450 FAbs, SAbs, FSign, SSign, Floor, ...,
///               Ldexp
/// Example       tests/glsl/functions/common.cpp Results are exact, or the written formula
///               evaluated with each operation rounded once, and have the same bits on every
///               instruction set. modf and frexp return both their results in a struct instead of
///               through an out-parameter, because plain lanes cannot be assigned to; a kernel
///               assigns the members to its variables, or writes `const auto [fraction, whole] =
///               modf(x);`.
/// @{

namespace detail {

/// The magnitude of `magnitude` with the sign of `sign`.
template <Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> copy_sign(const Lanes<T, W>& magnitude, const Lanes<T, W>& sign) {
  using Format = FloatFormat<T>;
  const typename Format::Bits rest = Format::sign - 1;
  return bits_as<T>((float_bits(magnitude) & rest) | (float_bits(sign) & Format::sign));
}

}  // namespace detail

/// x without its sign, also for zero and NaN; the most negative integer is unchanged.
template <class T, int W>
requires(detail::Floating<T> || (detail::Integer<T> && std::is_signed_v<T>))
    LOCKSTEP_INLINE Lanes<T, W> abs(const Lanes<T, W>& x) {
  if constexpr (detail::Floating<T>) {
    using Format = detail::FloatFormat<T>;
    return detail::bits_as<T>(detail::float_bits(x) &
                              static_cast<typename Format::Bits>(Format::sign - 1));
  } else {
    return detail::map_batches(Lanes<T, W>::Ops::max, x, -x);
  }
}
/// 1 for x > 0, -1 for x < 0, else 0: also for NaN and for -0.
template <class T, int W>
requires(detail::Floating<T> || (detail::Integer<T> && std::is_signed_v<T>))
    LOCKSTEP_INLINE Lanes<T, W> sign(const Lanes<T, W>& x) {
  const Lanes<T, W> zero(T(0));
  return select(x > zero, T(1), select(x < zero, T(-1), zero));
}
/// The largest integer not above x.
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> floor(const Lanes<T, W>& x) {
  return detail::map_batches(detail::MathOf<T, W>::floor, x);
}
/// x without its fraction.
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> trunc(const Lanes<T, W>& x) {
  return detail::map_batches(detail::MathOf<T, W>::trunc, x);
}
/// The nearest integer; ties, which GLSL leaves to the implementation, round away from zero.
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> round(const Lanes<T, W>& x) {
  const Lanes<T, W> whole = trunc(x);
  const Lanes<T, W> away = whole + detail::copy_sign(Lanes<T, W>(T(1)), x);
  return select(abs(x - whole) >= T(0.5f), away, whole);
}
/// The nearest integer; ties round to even.
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> roundEven(const Lanes<T, W>& x) {
  return detail::map_batches(detail::MathOf<T, W>::round_even, x);
}
/// The smallest integer not below x.
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> ceil(const Lanes<T, W>& x) {
  return detail::map_batches(detail::MathOf<T, W>::ceil, x);
}
/// x - floor(x). Rounding gives 1 for tiny negative x.
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> fract(const Lanes<T, W>& x) {
  return x - floor(x);
}
/// x - y * floor(x / y): the remainder with the divisor's sign.
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> mod(const Lanes<T, W>& x, const std::type_identity_t<Lanes<T, W>>& y) {
  return x - y * floor(x / y);
}
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> mod(std::type_identity_t<T> x, const Lanes<T, W>& y) {
  return mod(Lanes<T, W>(x), y);
}

/// The result of modf: GLSL's return value and out-parameter.
template <detail::Floating T, int W>
struct ModfResult {
  Lanes<T, W> fraction, whole;
};
/// x split into fraction and integer, both with the sign of x; an infinity has a fraction of 0.
template <detail::Floating T, int W>
LOCKSTEP_INLINE ModfResult<T, W> modf(const Lanes<T, W>& x) {
  const Lanes<T, W> whole = trunc(x);
  const Lanes<T, W> fraction = select(x == whole, T(0), x - whole);
  return {detail::copy_sign(fraction, x), whole};
}

/// y if y < x, else x: also when either is NaN.
template <detail::Number T, int W>
LOCKSTEP_INLINE Lanes<T, W> min(const Lanes<T, W>& x, const std::type_identity_t<Lanes<T, W>>& y) {
  return detail::map_batches(Lanes<T, W>::Ops::min, y, x);
}
template <detail::Number T, int W>
LOCKSTEP_INLINE Lanes<T, W> min(std::type_identity_t<T> x, const Lanes<T, W>& y) {
  return min(Lanes<T, W>(x), y);
}
/// y if x < y, else x: also when either is NaN.
template <detail::Number T, int W>
LOCKSTEP_INLINE Lanes<T, W> max(const Lanes<T, W>& x, const std::type_identity_t<Lanes<T, W>>& y) {
  return detail::map_batches(Lanes<T, W>::Ops::max, y, x);
}
template <detail::Number T, int W>
LOCKSTEP_INLINE Lanes<T, W> max(std::type_identity_t<T> x, const Lanes<T, W>& y) {
  return max(Lanes<T, W>(x), y);
}
/// min(max(x, minVal), maxVal), also when minVal > maxVal.
template <detail::Number T, int W>
LOCKSTEP_INLINE Lanes<T, W> clamp(const Lanes<T, W>& x,
                                  const std::type_identity_t<Lanes<T, W>>& minVal,
                                  const std::type_identity_t<Lanes<T, W>>& maxVal) {
  return min(max(x, minVal), maxVal);
}
template <detail::Number T, int W>
LOCKSTEP_INLINE Lanes<T, W> clamp(std::type_identity_t<T> x, const Lanes<T, W>& minVal,
                                  const std::type_identity_t<Lanes<T, W>>& maxVal) {
  return min(max(x, minVal), maxVal);
}
template <detail::Number T, int W>
LOCKSTEP_INLINE Lanes<T, W> clamp(std::type_identity_t<T> x, std::type_identity_t<T> minVal,
                                  const Lanes<T, W>& maxVal) {
  return clamp(Lanes<T, W>(x), minVal, maxVal);
}

/// The blend x * (1 - a) + y * a.
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> mix(const Lanes<T, W>& x, const std::type_identity_t<Lanes<T, W>>& y,
                                const std::type_identity_t<Lanes<T, W>>& a) {
  return x * (T(1) - a) + y * a;
}
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> mix(std::type_identity_t<T> x, const Lanes<T, W>& y,
                                const std::type_identity_t<Lanes<T, W>>& a) {
  return mix(Lanes<T, W>(x), y, a);
}
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> mix(std::type_identity_t<T> x, std::type_identity_t<T> y,
                                const Lanes<T, W>& a) {
  return mix(Lanes<T, W>(x), y, a);
}
/// y where a is true, else x. The other value has no influence. Also for bool x and y.
template <class T, int W>
LOCKSTEP_INLINE Lanes<T, W> mix(const Lanes<T, W>& x, const std::type_identity_t<Lanes<T, W>>& y,
                                const Lanes<bool, W>& a) {
  return select(a, y, x);
}
template <class T, int W>
LOCKSTEP_INLINE Lanes<T, W> mix(std::type_identity_t<T> x, const Lanes<T, W>& y,
                                const Lanes<bool, W>& a) {
  return select(a, y, Lanes<T, W>(x));
}
template <class T, int W>
requires(detail::Number<T> ||
         std::same_as<T, bool>) LOCKSTEP_INLINE Lanes<T, W> mix(T x, T y, const Lanes<bool, W>& a) {
  return select(a, Lanes<T, W>(y), Lanes<T, W>(x));
}
template <class T, int W>
LOCKSTEP_INLINE Lanes<T, W> mix(const Lanes<T, W>& x, const std::type_identity_t<Lanes<T, W>>& y,
                                std::same_as<bool> auto a) {
  return a ? y : x;
}

/// 0 where x < edge, else 1.
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> step(const Lanes<T, W>& edge,
                                 const std::type_identity_t<Lanes<T, W>>& x) {
  return select(x < edge, T(0), Lanes<T, W>(T(1)));
}
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> step(std::type_identity_t<T> edge, const Lanes<T, W>& x) {
  return step(Lanes<T, W>(edge), x);
}
/// t * t * (3 - 2 * t) with t = clamp((x - edge0) / (edge1 - edge0), 0, 1).
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> smoothstep(const Lanes<T, W>& edge0,
                                       const std::type_identity_t<Lanes<T, W>>& edge1,
                                       const std::type_identity_t<Lanes<T, W>>& x) {
  const Lanes<T, W> t = clamp((x - edge0) / (edge1 - edge0), T(0), T(1));
  return t * t * (T(3) - T(2) * t);
}
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> smoothstep(std::type_identity_t<T> edge0, const Lanes<T, W>& edge1,
                                       const std::type_identity_t<Lanes<T, W>>& x) {
  return smoothstep(Lanes<T, W>(edge0), edge1, x);
}
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> smoothstep(std::type_identity_t<T> edge0, std::type_identity_t<T> edge1,
                                       const Lanes<T, W>& x) {
  return smoothstep(Lanes<T, W>(edge0), edge1, x);
}

/// Whether x is NaN.
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<bool, W> isnan(const Lanes<T, W>& x) {
  return x != x;
}
/// Whether x is an infinity of either sign.
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<bool, W> isinf(const Lanes<T, W>& x) {
  return detail::float_bits(abs(x)) == detail::FloatFormat<T>::infinity;
}

/// The encoding of a float.
template <int W>
LOCKSTEP_INLINE Lanes<std::int32_t, W> floatBitsToInt(const Lanes<float, W>& value) {
  return detail::bits_as<std::int32_t>(value);
}
/// The encoding of a float.
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> floatBitsToUint(const Lanes<float, W>& value) {
  return detail::bits_as<std::uint32_t>(value);
}
/// The float with that encoding.
template <int W>
LOCKSTEP_INLINE Lanes<float, W> intBitsToFloat(const Lanes<std::int32_t, W>& value) {
  return detail::bits_as<float>(value);
}
/// The float with that encoding.
template <int W>
LOCKSTEP_INLINE Lanes<float, W> uintBitsToFloat(const Lanes<std::uint32_t, W>& value) {
  return detail::bits_as<float>(value);
}
/// The encoding of a double.
template <int W>
LOCKSTEP_INLINE Lanes<std::int64_t, W> doubleBitsToInt64(const Lanes<double, W>& value) {
  return detail::bits_as<std::int64_t>(value);
}
/// The encoding of a double.
template <int W>
LOCKSTEP_INLINE Lanes<std::uint64_t, W> doubleBitsToUint64(const Lanes<double, W>& value) {
  return detail::bits_as<std::uint64_t>(value);
}
/// The double with that encoding.
template <int W>
LOCKSTEP_INLINE Lanes<double, W> int64BitsToDouble(const Lanes<std::int64_t, W>& value) {
  return detail::bits_as<double>(value);
}
/// The double with that encoding.
template <int W>
LOCKSTEP_INLINE Lanes<double, W> uint64BitsToDouble(const Lanes<std::uint64_t, W>& value) {
  return detail::bits_as<double>(value);
}

/// a * b + c, rounded once, with or without an fma instruction.
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> fma(const Lanes<T, W>& a, const std::type_identity_t<Lanes<T, W>>& b,
                                const std::type_identity_t<Lanes<T, W>>& c) {
  return detail::map_batches(detail::MathOf<T, W>::fma, a, b, c);
}
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> fma(std::type_identity_t<T> a, const Lanes<T, W>& b,
                                const std::type_identity_t<Lanes<T, W>>& c) {
  return fma(Lanes<T, W>(a), b, c);
}
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> fma(std::type_identity_t<T> a, std::type_identity_t<T> b,
                                const Lanes<T, W>& c) {
  return fma(Lanes<T, W>(a), b, c);
}

/// The result of frexp: GLSL's return value and out-parameter.
template <detail::Floating T, int W>
struct FrexpResult {
  Lanes<T, W> significand;
  Lanes<std::int32_t, W> exponent;
};
/// x as significand * 2^exponent with 0.5 <= |significand| < 1. Zeros, infinities and NaN are their
/// own significand, with exponent 0.
template <detail::Floating T, int W>
LOCKSTEP_INLINE FrexpResult<T, W> frexp(const Lanes<T, W>& x) {
  using Int = Lanes<std::int32_t, W>;
  if constexpr (sizeof(T) == 2) {
    const auto [significand, exponent] = frexp(Lanes<float, W>(x));
    return {Lanes<T, W>(significand), exponent};
  } else {
    using Format = detail::FloatFormat<T>;
    using Bits = typename Format::Bits;
    constexpr Bits half = Bits{Format::bias - 1} << Format::fraction_bits;
    const auto magnitude = detail::float_bits(abs(x));
    // A subnormal number is normalised first.
    constexpr int lift = Format::fraction_bits + 1;
    const auto subnormal = magnitude < Format::lowest_normal;
    const auto bits = detail::float_bits(select(subnormal, x * static_cast<T>(Bits{1} << lift), x));
    const Int biased((bits & Format::infinity) >> Bits{Format::fraction_bits});
    const Int exponent = biased - (Format::bias - 1) - select(subnormal, Int(lift), Int(0));
    const auto itself = (magnitude == Bits{0}) | (magnitude >= Format::infinity);
    return {select(itself, x, detail::bits_as<T>((bits & ~Format::infinity) | half)),
            select(itself, Int(0), exponent)};
  }
}

namespace detail {

/// 2^exponent, for exponents of normal numbers.
template <Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> power_of_two(const Lanes<std::int32_t, W>& exponent) {
  using Format = FloatFormat<T>;
  using Bits = typename Format::Bits;
  return bits_as<T>(Lanes<Bits, W>(exponent + Format::bias) << Bits{Format::fraction_bits});
}

/// ldexp multiplies step by step, by the largest or by a small power of two, until the remaining
/// exponent is that of a normal number. The small one leaves enough bits that a first product which
/// is rounded ends as zero, so that no result is rounded twice.
template <Floating T>
struct LdexpStep {
  static constexpr int up = FloatFormat<T>::bias;
  static constexpr int lowest = 1 - FloatFormat<T>::bias;
  static constexpr int down = lowest + FloatFormat<T>::fraction_bits + 1;
};

template <Floating T, int W>
LOCKSTEP_INLINE Lanes<std::int32_t, W> ldexp_step(const Lanes<std::int32_t, W>& exponent) {
  using Int = Lanes<std::int32_t, W>;
  using Step = LdexpStep<T>;
  return select(exponent > Step::up, Int(Step::up),
                select(exponent < Step::lowest, Int(Step::down), Int(0)));
}

}  // namespace detail

/// x * 2^exp, rounded once: infinite if too large, subnormal or zero if too small.
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> ldexp(const Lanes<T, W>& x,
                                  const std::type_identity_t<Lanes<std::int32_t, W>>& exp) {
  if constexpr (sizeof(T) == 2) {
    return Lanes<T, W>(ldexp(Lanes<float, W>(x), exp));
  } else {
    using Step = detail::LdexpStep<T>;
    using Int = Lanes<std::int32_t, W>;
    const Int first = detail::ldexp_step<T>(exp);
    const Int second = detail::ldexp_step<T>(exp - first);
    const Int rest = clamp(exp - first - second, Step::lowest, Step::up);
    return x * detail::power_of_two<T>(first) * detail::power_of_two<T>(second) *
           detail::power_of_two<T>(rest);
  }
}
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> ldexp(T x, const Lanes<std::int32_t, W>& exp) {
  return ldexp(Lanes<T, W>(x), exp);
}

/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
