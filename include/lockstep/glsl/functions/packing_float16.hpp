#pragma once

#include <lockstep/glsl/functions/packing.hpp>
#include <lockstep/lanes/float16.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// \defgroup packing_float16 Packing as 16-bit floats (GLSL 4.60, 8.4)
///
/// Requires      None. A vec2 is passed as its components, x first, and returned as a struct of
///               them.
/// Active lanes  All lanes are computed, including inactive ones.
/// Errors        None: too large values become infinities, NaN becomes the quiet NaN without payload.
/// Cost          Conversion between float and float16_t, one lane at a time.
/// Spec          GLSL names as below · SPIR-V GLSL.std.450 PackHalf2x16, UnpackHalf2x16
/// Example       tests/glsl/functions/packing_float16.cpp
/// @{

namespace detail {

/// The encoding of c rounded to the nearest float16, ties to even.
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> half_bits(const Lanes<float, W>& c) {
  using Uint = Lanes<std::uint32_t, W>;
  const Uint rounded(float_bits(Lanes<float16_t, W>(c)));
  // Processors with a conversion instruction keep NaN payloads, others cannot.
  const Uint quiet = ((float_bits(c) >> 16u) & 0x8000u) | 0x7E00u;
  return select(isnan(c), quiet, rounded);
}

}  // namespace detail

/// Two floats rounded to float16, ties to even, x in the low half.
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> packHalf2x16(
    const Lanes<float, W>& x, const std::type_identity_t<Lanes<float, W>>& y) {
  return detail::join_halves(detail::half_bits(x), detail::half_bits(y));
}
/// Inverse of packHalf2x16; exact.
template <int W>
LOCKSTEP_INLINE Unpacked2<float, W> unpackHalf2x16(const Lanes<std::uint32_t, W>& v) {
  const auto half = [&](std::uint32_t position) {
    return Lanes<float, W>(detail::bits_as<float16_t>(Lanes<std::uint16_t, W>(v >> position)));
  };
  return {half(0), half(16)};
}

/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
