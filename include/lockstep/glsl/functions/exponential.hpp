#pragma once

#include <lockstep/lanes/detail/simd/exponential.hpp>
#include <lockstep/lanes/detail/simd/logarithm.hpp>
#include <lockstep/lanes/detail/simd/map_floats.hpp>
#include <lockstep/lanes/detail/simd/power.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// \defgroup exponential Exponential functions (GLSL 4.60, 8.2)
///
/// Requires      T is float or float16_t, for sqrt and inversesqrt also double. One argument of pow
///               may be a plain scalar.
/// Active lanes  All lanes are computed, including inactive ones.
/// Errors        None: outside a function's domain the result is C's: NaN or an infinity. Results are
///               off by less than 1.5 of the last bit's value and have the same bits on every
///               instruction set.
/// Cost          sqrt is one SIMD instruction per register of lanes and correctly rounded,
///               inversesqrt two, exp, log, exp2 and log2 about 30, pow 120.
/// Spec          GLSL names as below · SPIR-V GLSL.std.450 Pow, Exp, Log, Exp2, Log2, Sqrt,
///               InverseSqrt
/// Example       tests/glsl/functions/exponential.cpp
/// @{

/// x to the power of y.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> pow(const Lanes<T, W>& x, const std::type_identity_t<Lanes<T, W>>& y) {
  return detail::simd::map_real(LOCKSTEP_INLINED(detail::simd::pow), x, y);
}
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> pow(std::type_identity_t<T> x, const Lanes<T, W>& y) {
  return pow(Lanes<T, W>(x), y);
}
/// e to the power of x.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> exp(const Lanes<T, W>& x) {
  return detail::simd::map_real(LOCKSTEP_INLINED(detail::simd::exp), x);
}
/// Natural logarithm.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> log(const Lanes<T, W>& x) {
  return detail::simd::map_real(LOCKSTEP_INLINED(detail::simd::log), x);
}
/// 2 to the power of x.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> exp2(const Lanes<T, W>& x) {
  return detail::simd::map_real(LOCKSTEP_INLINED(detail::simd::exp2), x);
}
/// Logarithm to base 2.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> log2(const Lanes<T, W>& x) {
  return detail::simd::map_real(LOCKSTEP_INLINED(detail::simd::log2), x);
}
/// Square root, correctly rounded.
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> sqrt(const Lanes<T, W>& x) {
  return detail::map_batches(detail::MathOf<T, W>::sqrt, x);
}
/// 1 / sqrt(x), rounded twice.
template <detail::Floating T, int W>
LOCKSTEP_INLINE Lanes<T, W> inversesqrt(const Lanes<T, W>& x) {
  return T(1) / sqrt(x);
}

/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
