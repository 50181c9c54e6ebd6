#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/lanes/float16.hpp>

/// \file
/// Texels to and from the four numbers that they are to a shader.

namespace lockstep::inline LOCKSTEP_ABI {

/// The bits of the four numbers that a texel is to a shader, whatever their type.
using TexelBits = std::array<std::uint64_t, 4>;

namespace detail {

inline std::uint64_t bits_of_float(float value) { return std::bit_cast<std::uint32_t>(value); }
inline float float_of_bits(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

/// NaN is quiet and keeps its payload, as processors with an instruction for it make it.
inline float from_half(std::uint32_t bits) {
  const auto value = static_cast<float>(std::bit_cast<float16_t>(static_cast<std::uint16_t>(bits)));
  if (value == value) return value;
  return float_of_bits(bits_of_float(value) | 0x400000);
}
/// Rounded to nearest, halves to even; NaN is the quiet one without payload.
inline std::uint16_t to_half(float value) {
  if (value == value) return std::bit_cast<std::uint16_t>(float16_t(value));
  return static_cast<std::uint16_t>((bits_of_float(value) >> 16 & 0x8000) | 0x7e00);
}

/// A float without a sign, of 5 bits of exponent and some of fraction: a float16 cut off.
inline float from_small_float(std::uint32_t bits, std::uint32_t fraction) {
  return from_half(bits << (10 - fraction));
}
/// Rounded to the nearest that is finite, halves to even; infinity and NaN stay what they are, and what
/// is below zero is zero.
inline std::uint32_t to_small_float(float value, std::uint32_t fraction) {
  const std::uint32_t infinity = 31u << fraction;
  if (std::isnan(value)) return infinity | 1u << (fraction - 1);
  if (!(value > 0.0f)) return 0;
  if (std::isinf(value)) return infinity;
  constexpr int smallest = -14;
  const int exponent = std::max(std::ilogb(value), smallest);
  // How many times the last place: one more bit than the fraction, but for subnormals.
  const double steps =
      std::nearbyint(std::ldexp(static_cast<double>(value), static_cast<int>(fraction) - exponent));
  const std::uint32_t rounded = (static_cast<std::uint32_t>(exponent - smallest) << fraction) +
                                static_cast<std::uint32_t>(steps);
  return std::min(rounded, infinity - 1);
}

/// The largest number of so many bits, or of the positive ones of a signed number.
constexpr std::uint32_t largest_of(std::uint32_t bits) { return (1u << bits) - 1; }

/// [0, 1] as 0 to `most`, rounded to nearest, halves to even. The product is exact in double.
inline std::uint32_t to_unorm(float value, std::uint32_t most) {
  if (!(value > 0.0f)) return 0;  // NaN, too
  if (value >= 1.0f) return most;
  return static_cast<std::uint32_t>(std::nearbyint(static_cast<double>(value) * most));
}
inline float from_unorm(std::uint32_t number, std::uint32_t most) {
  return static_cast<float>(number) / static_cast<float>(most);
}
/// [-1, 1] as -most to most, in the same way.
inline std::int32_t to_snorm(float value, std::int32_t most) {
  if (std::isnan(value)) return 0;
  return static_cast<std::int32_t>(
      std::nearbyint(static_cast<double>(std::clamp(value, -1.0f, 1.0f)) * most));
}
/// The lowest number stands for -1 as its neighbour does.
inline float from_snorm(std::int32_t number, std::int32_t most) {
  return std::max(static_cast<float>(number) / static_cast<float>(most), -1.0f);
}

/// The components of a texel that is one number.
inline void decode_packed(const ImageFormatInfo& info, std::uint32_t word, TexelBits& out) {
  for (std::size_t k = 0; k < info.components; ++k) {
    const std::uint32_t most = largest_of(info.bits[k]), number = word & most;
    word >>= info.bits[k];
    out[k] = info.coding == TexelCoding::floating
                 ? bits_of_float(from_small_float(number, info.bits[k] - 5))
             : info.coding == TexelCoding::unorm ? bits_of_float(from_unorm(number, most))
                                                 : number;
  }
}
inline std::uint32_t encode_packed(const ImageFormatInfo& info, const TexelBits& texel) {
  std::uint32_t word = 0, shift = 0;
  for (std::size_t k = 0; k < info.components; ++k) {
    const std::uint32_t most = largest_of(info.bits[k]);
    const float value = float_of_bits(texel[k]);
    const std::uint32_t number =
        info.coding == TexelCoding::floating ? to_small_float(value, info.bits[k] - 5)
        : info.coding == TexelCoding::unorm  ? to_unorm(value, most)
                                             : static_cast<std::uint32_t>(texel[k]) & most;
    word |= number << shift;
    shift += info.bits[k];
  }
  return word;
}

}  // namespace detail

/// \defgroup texels Texels to and from what they are to a shader
///
/// Requires      As many bytes as a texel of the format has.
/// Active lanes  None.
/// Errors        None. Fractions outside [0, 1] or [-1, 1] are the nearest in it, NaN is 0; of integers
///               that the format has no room for the low bits stay.
/// Cost          A branch on the format, and a conversion for each component.
/// Spec          Vulkan, Texel Input and Output Format Conversion
/// Example       tests/dispatch/texel.cpp
/// @{

/// The numbers; what the format lacks is 0, of the fourth component 1.
inline TexelBits decode_texel(ImageFormat format, const std::byte* from) {
  const ImageFormatInfo& info = info_of(format);
  const bool whole = info.coding == TexelCoding::sint || info.coding == TexelCoding::uint;
  TexelBits out{0, 0, 0, whole ? 1 : detail::bits_of_float(1.0f)};
  const auto each = [&](auto type, auto convert) {
    using Raw = decltype(type);
    for (std::size_t k = 0; k < info.components; ++k) {
      Raw raw;
      std::memcpy(&raw, from + k * sizeof raw, sizeof raw);
      out[k] = static_cast<std::uint64_t>(convert(raw));
    }
  };
  const auto as_it_is = [](auto raw) { return raw; };
  const auto half = [](std::uint16_t raw) { return detail::bits_of_float(detail::from_half(raw)); };
  const auto unorm = [&](auto raw) {
    return detail::bits_of_float(detail::from_unorm(raw, detail::largest_of(info.bits[0])));
  };
  const auto snorm = [&](auto raw) {
    const auto most = static_cast<std::int32_t>(detail::largest_of(info.bits[0] - 1));
    return detail::bits_of_float(detail::from_snorm(raw, most));
  };
  if (info.packed()) {
    std::uint32_t word;
    std::memcpy(&word, from, sizeof word);
    detail::decode_packed(info, word, out);
    return out;
  }
  const std::uint32_t bits = info.bits[0];
  switch (info.coding) {
    case TexelCoding::floating:
      bits == 32 ? each(std::uint32_t{}, as_it_is) : each(std::uint16_t{}, half);
      break;
    case TexelCoding::unorm:
      bits == 16 ? each(std::uint16_t{}, unorm) : each(std::uint8_t{}, unorm);
      break;
    case TexelCoding::snorm:
      bits == 16 ? each(std::int16_t{}, snorm) : each(std::int8_t{}, snorm);
      break;
    case TexelCoding::sint:
      bits == 64   ? each(std::int64_t{}, as_it_is)
      : bits == 32 ? each(std::int32_t{}, as_it_is)
      : bits == 16 ? each(std::int16_t{}, as_it_is)
                   : each(std::int8_t{}, as_it_is);
      break;
    case TexelCoding::uint:
      bits == 64   ? each(std::uint64_t{}, as_it_is)
      : bits == 32 ? each(std::uint32_t{}, as_it_is)
      : bits == 16 ? each(std::uint16_t{}, as_it_is)
                   : each(std::uint8_t{}, as_it_is);
      break;
  }
  return out;
}

/// Writes the texel; what the format lacks is dropped.
inline void encode_texel(ImageFormat format, std::byte* to, const TexelBits& texel) {
  const ImageFormatInfo& info = info_of(format);
  const auto each = [&](auto type, auto convert) {
    using Raw = decltype(type);
    for (std::size_t k = 0; k < info.components; ++k) {
      const auto raw = static_cast<Raw>(convert(texel[k]));
      std::memcpy(to + k * sizeof raw, &raw, sizeof raw);
    }
  };
  const auto as_it_is = [](std::uint64_t number) { return number; };
  const auto half = [](std::uint64_t number) {
    return detail::to_half(detail::float_of_bits(number));
  };
  const auto unorm = [&](std::uint64_t number) {
    return detail::to_unorm(detail::float_of_bits(number), detail::largest_of(info.bits[0]));
  };
  const auto snorm = [&](std::uint64_t number) {
    const auto most = static_cast<std::int32_t>(detail::largest_of(info.bits[0] - 1));
    return detail::to_snorm(detail::float_of_bits(number), most);
  };
  if (info.packed()) {
    const std::uint32_t word = detail::encode_packed(info, texel);
    std::memcpy(to, &word, sizeof word);
    return;
  }
  const std::uint32_t bits = info.bits[0];
  switch (info.coding) {
    case TexelCoding::floating:
      bits == 32 ? each(std::uint32_t{}, as_it_is) : each(std::uint16_t{}, half);
      break;
    case TexelCoding::unorm:
      bits == 16 ? each(std::uint16_t{}, unorm) : each(std::uint8_t{}, unorm);
      break;
    case TexelCoding::snorm:
      bits == 16 ? each(std::int16_t{}, snorm) : each(std::int8_t{}, snorm);
      break;
    case TexelCoding::sint:
    case TexelCoding::uint:
      bits == 64   ? each(std::uint64_t{}, as_it_is)
      : bits == 32 ? each(std::uint32_t{}, as_it_is)
      : bits == 16 ? each(std::uint16_t{}, as_it_is)
                   : each(std::uint8_t{}, as_it_is);
      break;
  }
}
/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
