#pragma once

/// \file
/// The names of GLSL's functions that work on each component and return one value. Those with two
/// results, and the packing functions, are not in the list.

// clang-format off
#define LOCKSTEP_FUNCTIONS(X) \
  X(radians) X(degrees) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) \
  X(asinh) X(acosh) X(atanh) X(pow) X(exp) X(log) X(exp2) X(log2) X(sqrt) X(inversesqrt) X(abs) \
  X(sign) X(floor) X(trunc) X(round) X(roundEven) X(ceil) X(fract) X(mod) X(min) X(max) X(clamp) \
  X(mix) X(step) X(smoothstep) X(isnan) X(isinf) X(floatBitsToInt) X(floatBitsToUint) \
  X(intBitsToFloat) X(uintBitsToFloat) X(doubleBitsToInt64) X(doubleBitsToUint64) \
  X(int64BitsToDouble) X(uint64BitsToDouble) X(float16BitsToInt16) X(float16BitsToUint16) \
  X(int16BitsToFloat16) X(uint16BitsToFloat16) X(fma) X(ldexp) X(bitfieldExtract) \
  X(bitfieldInsert) X(bitfieldReverse) X(bitCount) X(findLSB) X(findMSB)
// clang-format on
