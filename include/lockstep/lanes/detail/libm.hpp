#pragma once

#include <lockstep/config.hpp>

/// \file
/// The C library's functions with one exact result, as <cmath> has them. That header is an eighth of what lockstep.hpp costs to compile.

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

}  // namespace lockstep::inline LOCKSTEP_ABI::detail::libm
