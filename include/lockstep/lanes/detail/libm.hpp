#pragma once

#include <lockstep/config.hpp>

/// \file
/// The C library's functions, as <cmath> has them. That header is an eighth of what lockstep.hpp costs to compile.

namespace lockstep::inline LOCKSTEP_ABI::detail::libm {

#define LOCKSTEP_LIBM(name)                                              \
  LOCKSTEP_INLINE float name(float x) { return __builtin_##name##f(x); } \
  LOCKSTEP_INLINE double name(double x) { return __builtin_##name(x); }
LOCKSTEP_LIBM(floor)
LOCKSTEP_LIBM(ceil)
LOCKSTEP_LIBM(trunc)
LOCKSTEP_LIBM(nearbyint)
LOCKSTEP_LIBM(sqrt)
#undef LOCKSTEP_LIBM
LOCKSTEP_INLINE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
LOCKSTEP_INLINE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }

// GLSL has these for float alone.
#define LOCKSTEP_LIBM(name) \
  LOCKSTEP_INLINE float name(float x) { return __builtin_##name##f(x); }
LOCKSTEP_LIBM(sin)
LOCKSTEP_LIBM(cos)
LOCKSTEP_LIBM(tan)
LOCKSTEP_LIBM(asin)
LOCKSTEP_LIBM(acos)
LOCKSTEP_LIBM(atan)
LOCKSTEP_LIBM(sinh)
LOCKSTEP_LIBM(cosh)
LOCKSTEP_LIBM(tanh)
LOCKSTEP_LIBM(asinh)
LOCKSTEP_LIBM(acosh)
LOCKSTEP_LIBM(atanh)
LOCKSTEP_LIBM(exp)
LOCKSTEP_LIBM(log)
LOCKSTEP_LIBM(exp2)
LOCKSTEP_LIBM(log2)
#undef LOCKSTEP_LIBM
LOCKSTEP_INLINE float pow(float x, float y) { return __builtin_powf(x, y); }
LOCKSTEP_INLINE float atan2(float y, float x) { return __builtin_atan2f(y, x); }

}  // namespace lockstep::inline LOCKSTEP_ABI::detail::libm
