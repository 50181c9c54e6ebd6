#pragma once

#include <lockstep/lanes/detail/math.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// \defgroup angle_trigonometry Angle and trigonometry functions (GLSL 4.60, 8.1)
///
/// Requires      T is float or float16_t. One argument of atan(y, x) may be a plain scalar.
/// Active lanes  All lanes are computed, including inactive ones.
/// Errors        None: outside a function's domain the result is the C library's, mostly NaN.
/// Cost          One call of the C library's float function per lane, which may pick code by the CPU:
///               sin, cos, sinh and cosh can differ in the last bit between machines. radians and
///               degrees are one SIMD multiplication.
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
  return detail::map_real([](float x) { return detail::libm::sin(x); }, angle);
}
/// Cosine of an angle in radians.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> cos(const Lanes<T, W>& angle) {
  return detail::map_real([](float x) { return detail::libm::cos(x); }, angle);
}
/// Tangent of an angle in radians.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> tan(const Lanes<T, W>& angle) {
  return detail::map_real([](float x) { return detail::libm::tan(x); }, angle);
}
/// Angle in [-pi/2, pi/2] whose sine is x.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> asin(const Lanes<T, W>& x) {
  return detail::map_real([](float v) { return detail::libm::asin(v); }, x);
}
/// Angle in [0, pi] whose cosine is x.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> acos(const Lanes<T, W>& x) {
  return detail::map_real([](float v) { return detail::libm::acos(v); }, x);
}
/// Angle in [-pi, pi] of the point (x, y).
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> atan(const Lanes<T, W>& y, const std::type_identity_t<Lanes<T, W>>& x) {
  return detail::map_real([](float b, float a) { return detail::libm::atan2(b, a); }, y, x);
}
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> atan(std::type_identity_t<T> y, const Lanes<T, W>& x) {
  return atan(Lanes<T, W>(y), x);
}
/// Angle in [-pi/2, pi/2] whose tangent is y_over_x.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> atan(const Lanes<T, W>& y_over_x) {
  return detail::map_real([](float x) { return detail::libm::atan(x); }, y_over_x);
}
/// Hyperbolic sine.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> sinh(const Lanes<T, W>& x) {
  return detail::map_real([](float v) { return detail::libm::sinh(v); }, x);
}
/// Hyperbolic cosine.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> cosh(const Lanes<T, W>& x) {
  return detail::map_real([](float v) { return detail::libm::cosh(v); }, x);
}
/// Hyperbolic tangent.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> tanh(const Lanes<T, W>& x) {
  return detail::map_real([](float v) { return detail::libm::tanh(v); }, x);
}
/// Inverse of sinh.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> asinh(const Lanes<T, W>& x) {
  return detail::map_real([](float v) { return detail::libm::asinh(v); }, x);
}
/// Non-negative inverse of cosh.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> acosh(const Lanes<T, W>& x) {
  return detail::map_real([](float v) { return detail::libm::acosh(v); }, x);
}
/// Inverse of tanh.
template <detail::HalfOrSingle T, int W>
LOCKSTEP_INLINE Lanes<T, W> atanh(const Lanes<T, W>& x) {
  return detail::map_real([](float v) { return detail::libm::atanh(v); }, x);
}

/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
