#pragma once

#include <lockstep/glsl/functions/common.hpp>
#include <lockstep/lanes/float16.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// \defgroup common_float16 Bits of 16-bit floats (GL_EXT_shader_explicit_arithmetic_types, 8.3)
///
/// Requires      None.
/// Active lanes  All lanes are computed, including inactive ones.
/// Errors        None.
/// Cost          None, or one copy: the bits do not change.
/// Spec          GLSL names as below · SPIR-V OpBitcast
/// Example       tests/glsl/functions/common_float16.cpp
/// @{

/// The encoding of a float16_t.
template <int W>
LOCKSTEP_INLINE Lanes<std::int16_t, W> float16BitsToInt16(const Lanes<float16_t, W>& value) {
  return detail::bits_as<std::int16_t>(value);
}
/// The encoding of a float16_t.
template <int W>
LOCKSTEP_INLINE Lanes<std::uint16_t, W> float16BitsToUint16(const Lanes<float16_t, W>& value) {
  return detail::bits_as<std::uint16_t>(value);
}
/// The float16_t with that encoding.
template <int W>
LOCKSTEP_INLINE Lanes<float16_t, W> int16BitsToFloat16(const Lanes<std::int16_t, W>& value) {
  return detail::bits_as<float16_t>(value);
}
/// The float16_t with that encoding.
template <int W>
LOCKSTEP_INLINE Lanes<float16_t, W> uint16BitsToFloat16(const Lanes<std::uint16_t, W>& value) {
  return detail::bits_as<float16_t>(value);
}

/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
