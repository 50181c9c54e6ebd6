#pragma once

#include "oracle/format.hpp"
#include "oracle/interval.hpp"

/// \file
/// How far Vulkan lets results be from the exact ones ("Precision and Operation of SPIR-V Instructions"). Each function
/// takes an interval of exact results and returns one of the numbers that a device may give for any of them.

namespace lockstep::oracle {

/// What an operation computes in.
struct Precision {
  Format format = float32;
  bool flushes = true;  ///< denormals may become zero
  bool nearest =
      false;  ///< what is rounded correctly is rounded to the nearest number (RoundingModeRTE)
  bool to_zero = false;  ///< or to the nearest that is not farther from zero (RoundingModeRTZ)
  bool wider = false;    ///< results may be numbers of a wider format (RelaxedPrecision)
};

/// Includes zero if a denormal is among the numbers and may become zero.
Interval flushed(const Interval& numbers, const Precision& precision);
/// The exact result, or one of the numbers next to it: the nearest, or that towards zero, if that is promised.
Interval correctly_rounded(const Interval& exact, const Precision& precision);
/// The numbers of the format at most `count` units in the last place away.
Interval within_ulps(const Interval& exact, double count, const Precision& precision);
/// The numbers of the format at most `error` away.
Interval within(const Interval& exact, double error, const Precision& precision);
/// What is inherited from a formula: as far from the exact result as any result of the formula, on either side.
Interval inherited(const Interval& exact, const Interval& formula, const Precision& precision);

// Functions of GLSL.std.450 on operands in their domain.

Interval divided(const Interval& a, const Interval& b, const Precision& precision);
Interval exp(const Interval& x, const Precision& precision);
Interval exp2(const Interval& x, const Precision& precision);
Interval log(const Interval& x, const Precision& precision);
Interval log2(const Interval& x, const Precision& precision);
Interval inverse_sqrt(const Interval& x, const Precision& precision);
Interval sqrt(const Interval& x, const Precision& precision);
Interval pow(const Interval& x, const Interval& y, const Precision& precision);
/// The square root, of zero as well, for which the formula behind it has no result: there every device gives zero.
Interval sqrt_from_zero(const Interval& x, const Precision& precision);
/// The power of zero as well, for y > 0: devices take log2(0) for minus infinity, or for that of a denormal.
Interval pow_from_zero(const Interval& x, const Interval& y, const Precision& precision);
Interval sin(const Interval& x, const Precision& precision);
Interval cos(const Interval& x, const Precision& precision);
Interval tan(const Interval& x, const Precision& precision);
Interval asin(const Interval& x, const Precision& precision);
Interval acos(const Interval& x, const Precision& precision);
Interval atan(const Interval& x, const Precision& precision);
Interval atan2(const Interval& y, const Interval& x, const Precision& precision);
Interval sinh(const Interval& x, const Precision& precision);
Interval cosh(const Interval& x, const Precision& precision);
Interval tanh(const Interval& x, const Precision& precision);
Interval asinh(const Interval& x, const Precision& precision);
Interval acosh(const Interval& x, const Precision& precision);
Interval atanh(const Interval& x, const Precision& precision);
Interval smooth_step(const Interval& edge0, const Interval& edge1, const Interval& x,
                     const Precision& precision);

}  // namespace lockstep::oracle
