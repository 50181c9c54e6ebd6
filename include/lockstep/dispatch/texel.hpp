#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <lockstep/dispatch/image.hpp>

/// \file
/// Texels to and from the four numbers that they are to a shader.

namespace lockstep {

/// The bits of the four numbers that a texel is to a shader, whatever their type.
using TexelBits = std::array<std::uint64_t, 4>;

/// \defgroup texels Texels to and from what they are to a shader
///
/// Requires      As many bytes as a texel of the format has.
/// Active lanes  None.
/// Errors        None. Fractions outside [0, 1] or [-1, 1] are the nearest in it, NaN is 0; of integers
///               that the format has no room for the low bits stay.
/// Cost          A call by the format, and a conversion for each component.
/// Spec          Vulkan, Texel Input and Output Format Conversion
/// Example       tests/dispatch/texel.cpp
/// @{

/// The numbers; what the format lacks is 0, of the fourth component 1.
TexelBits decode_texel(ImageFormat format, const std::byte* from);
/// Writes the texel; what the format lacks is dropped.
void encode_texel(ImageFormat format, std::byte* to, const TexelBits& texel);
/// @}

}  // namespace lockstep
