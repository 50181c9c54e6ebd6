#pragma once

#include <lockstep/lanes/detail/simd/circular.hpp>
#include <lockstep/lanes/detail/simd/hyperbolic.hpp>
#include <lockstep/lanes/detail/simd/inverse_circular.hpp>
#include <lockstep/lanes/detail/simd/inverse_hyperbolic.hpp>
#include <lockstep/lanes/detail/simd/map_floats.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// \defgroup angle_trigonometry Angle and trigonometry functions (GLSL 4.60, 8.1)
///
/// Requires      T is float or float16_t. One argument of atan(y, x) may be a plain scalar.
/// Active lanes  All lanes are computed, including inactive ones.
/// Errors        None: outside a function's domain the result is C's, mostly NaN. Results are off by
///               less than 1.5 of the last bit's value and have the same bits on every instruction
///               set.
/// Cost          25 to 90 SIMD instructions per register of lanes. Lanes whose angle is 2^17 or more
///               are reduced one at a time. radians and degrees are one SIMD multiplication.
/// Spec          GLSL names as below · SPIR-V GLSL.std.450 Radians, Degrees, Sin, ..., Atan2
/// Example       tests/glsl/functions/angle_trigonometry.cpp
/// @{

/// Degrees to radians: degrees * (pi / 180).
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> radians(const Lanes<T, W>& degrees) {
  return degrees * static_cast<T>(0.01745329251994329577f);
}
/// Radians to degrees: radians * (180 / pi).
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> degrees(const Lanes<T, W>& radians) {
  return radians * static_cast<T>(57.2957795130823208768f);
}
/// Sine of an angle in radians.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> sin(const Lanes<T, W>& angle) {
  return detail::simd::map_real(LOCKSTEP_INLINED(detail::simd::sin), angle);
}
/// Cosine of an angle in radians.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> cos(const Lanes<T, W>& angle) {
  return detail::simd::map_real(LOCKSTEP_INLINED(detail::simd::cos), angle);
}
/// Tangent of an angle in radians.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> tan(const Lanes<T, W>& angle) {
  return detail::simd::map_real(LOCKSTEP_INLINED(detail::simd::tan), angle);
}
/// Angle in [-pi/2, pi/2] whose sine is x.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> asin(const Lanes<T, W>& x) {
  return detail::simd::map_real(LOCKSTEP_INLINED(detail::simd::asin), x);
}
/// Angle in [0, pi] whose cosine is x.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> acos(const Lanes<T, W>& x) {
  return detail::simd::map_real(LOCKSTEP_INLINED(detail::simd::acos), x);
}
/// Angle in [-pi, pi] of the point (x, y).
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> atan(const Lanes<T, W>& y, const std::type_identity_t<Lanes<T, W>>& x) {
  return detail::simd::map_real(LOCKSTEP_INLINED(detail::simd::atan2), y, x);
}
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> atan(std::type_identity_t<T> y, const Lanes<T, W>& x) {
  return atan(Lanes<T, W>(y), x);
}
/// Angle in [-pi/2, pi/2] whose tangent is y_over_x.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> atan(const Lanes<T, W>& y_over_x) {
  return detail::simd::map_real(LOCKSTEP_INLINED(detail::simd::atan), y_over_x);
}
/// Hyperbolic sine.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> sinh(const Lanes<T, W>& x) {
  return detail::simd::map_real(LOCKSTEP_INLINED(detail::simd::sinh), x);
}
/// Hyperbolic cosine.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> cosh(const Lanes<T, W>& x) {
  return detail::simd::map_real(LOCKSTEP_INLINED(detail::simd::cosh), x);
}
/// Hyperbolic tangent.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> tanh(const Lanes<T, W>& x) {
  return detail::simd::map_real(LOCKSTEP_INLINED(detail::simd::tanh), x);
}
/// Inverse of sinh.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> asinh(const Lanes<T, W>& x) {
  return detail::simd::map_real(LOCKSTEP_INLINED(detail::simd::asinh), x);
}
/// Non-negative inverse of cosh.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> acosh(const Lanes<T, W>& x) {
  return detail::simd::map_real(LOCKSTEP_INLINED(detail::simd::acosh), x);
}
/// Inverse of tanh.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> atanh(const Lanes<T, W>& x) {
  return detail::simd::map_real(LOCKSTEP_INLINED(detail::simd::atanh), x);
}

/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
