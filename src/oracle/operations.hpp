#pragma once

#include "oracle/allowed.hpp"

/// \file
/// What the result of an operation may be, for operands that may be any of several values.
///
/// Operands are numbers: `numbers` makes one of an exact operand. What is undefined, open or unordered is passed on
/// before (see pass_on).

namespace lockstep::oracle {

/// What decides about an operation besides its operands.
struct Rules {
  Precision precision = {};
  bool precise = false;  ///< may not be combined or rearranged with others (NoContraction)
  bool relaxed = false;  ///< may be computed in 16 bits (RelaxedPrecision)
  std::uint32_t origin = 0;
};

/// A float operand: `allowed`, or its value if that is exact.
Allowed operand(const Allowed& allowed, double value, const Rules& rules);

Allowed negated(const Allowed& a, const Rules& rules);
Allowed add(const Allowed& a, const Allowed& b, const Rules& rules);
Allowed subtract(const Allowed& a, const Allowed& b, const Rules& rules);
Allowed multiply(const Allowed& a, const Allowed& b, const Rules& rules);
Allowed divide(const Allowed& a, const Allowed& b, const Rules& rules);
/// a * b + c, fused or not.
Allowed fused(const Allowed& a, const Allowed& b, const Allowed& c, const Rules& rules);
Allowed mix(const Allowed& a, const Allowed& b, const Allowed& t, const Rules& rules);
Allowed radians(const Allowed& a, const Rules& rules);
Allowed degrees(const Allowed& a, const Rules& rules);
/// The remainder with the sign of b, and of a.
Allowed modulo(const Allowed& a, const Allowed& b, const Rules& rules);
Allowed remainder(const Allowed& a, const Allowed& b, const Rules& rules);

Allowed absolute(const Allowed& a, const Rules& rules);
Allowed sign(const Allowed& a, const Rules& rules);
Allowed floor(const Allowed& a, const Rules& rules);
Allowed ceil(const Allowed& a, const Rules& rules);
Allowed trunc(const Allowed& a, const Rules& rules);
/// To the nearest whole number; of two either.
Allowed round(const Allowed& a, const Rules& rules);
Allowed round_even(const Allowed& a, const Rules& rules);
Allowed fract(const Allowed& a, const Rules& rules);
/// The part after the point with the sign of a.
Allowed fraction(const Allowed& a, const Rules& rules);
Allowed minimum(const Allowed& a, const Allowed& b, const Rules& rules);
Allowed maximum(const Allowed& a, const Allowed& b, const Rules& rules);
Allowed clamp(const Allowed& a, const Allowed& low, const Allowed& high, const Rules& rules);
Allowed step(const Allowed& edge, const Allowed& a, const Rules& rules);
Allowed smooth_step(const Allowed& edge0, const Allowed& edge1, const Allowed& a,
                    const Rules& rules);
Allowed significand(const Allowed& a, const Rules& rules);
/// a times two to an exact power.
Allowed scaled(const Allowed& a, double exponent, const Rules& rules);

/// A function of GLSL.std.450 that Vulkan gives a precision for, on the part of the numbers where it is defined.
struct Function {
  Interval (*of)(const Interval&, const Precision&);
  Interval domain = Interval::all();
  bool open_low = false, open_high = false;  ///< the ends of the domain do not belong to it
};
Allowed apply(const Function& function, const Allowed& a, const Rules& rules);
Allowed pow(const Allowed& a, const Allowed& b, const Rules& rules);
Allowed atan2(const Allowed& y, const Allowed& x, const Rules& rules);

/// How a comparison of numbers ends.
enum class Answer { no, yes, either };
Answer less(const Allowed& a, const Allowed& b, const Rules& rules);
Answer less_equal(const Allowed& a, const Allowed& b, const Rules& rules);
Answer equal(const Allowed& a, const Allowed& b, const Rules& rules);

/// A number rounded to the rules' format.
Allowed converted(const Interval& exact, const Rules& rules);
/// Rounded to 16 bits and back: denormals become zero.
Allowed quantized(const Allowed& a, const Rules& rules);
/// Truncated to an integer between the bounds.
Allowed to_integer(const Allowed& a, double least, double most, const Rules& rules);

}  // namespace lockstep::oracle
