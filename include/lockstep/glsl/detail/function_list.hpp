#pragma once

/// \file
/// The names of GLSL's functions: first those that work on each component and return one value, then those
/// with two results, those that pack, and those on whole vectors and matrices.

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
#define LOCKSTEP_FUNCTIONS_OF_VALUES(X) \
  X(modf) X(frexp) X(uaddCarry) X(usubBorrow) X(umulExtended) X(imulExtended) X(packUnorm2x16) \
  X(packSnorm2x16) X(packUnorm4x8) X(packSnorm4x8) X(packHalf2x16) X(packDouble2x32) \
  X(unpackUnorm2x16) X(unpackSnorm2x16) X(unpackUnorm4x8) X(unpackSnorm4x8) X(unpackHalf2x16) \
  X(unpackDouble2x32) X(dot) X(length) X(distance) X(cross) X(normalize) X(faceforward) X(reflect) \
  X(refract) X(lessThan) X(lessThanEqual) X(greaterThan) X(greaterThanEqual) X(equal) X(notEqual) \
  X(any) X(all) X(not_) X(select) X(matrixCompMult) X(outerProduct) X(transpose) X(determinant) \
  X(inverse)
// clang-format on
