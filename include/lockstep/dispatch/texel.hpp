#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <lockstep/dispatch/image.hpp>

/// \file
/// Conversion between texels and the four numbers that a shader sees.

namespace lockstep {

/// The bits of the four numbers that a shader sees of a texel, whatever their type.
using TexelBits = std::array<std::uint64_t, 4>;

/// \defgroup texels Conversion of texels
///
/// Requires      As many bytes as a texel of the format has.
/// Active lanes  None.
/// Errors        None. Fractions are clamped to [0, 1] or [-1, 1], NaN becomes 0; of integers that
///               do not fit the format the low bits are kept.
/// Cost          A call through a table, and a conversion for each component.
/// Spec          Vulkan, Texel Input and Output Format Conversion
/// Example       tests/dispatch/texel.cpp
/// @{

/// The numbers; components that the format lacks are 0, the fourth is 1.
TexelBits decode_texel(ImageFormat format, const std::byte* from);
/// Writes the texel; components that the format lacks are dropped.
void encode_texel(ImageFormat format, std::byte* to, const TexelBits& texel);
/// @}

}  // namespace lockstep
