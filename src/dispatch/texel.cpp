#include <lockstep/dispatch/texel.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <utility>

#include <lockstep/config.hpp>
#include <lockstep/lanes/float16.hpp>

namespace lockstep {
namespace {

std::uint64_t bits_of_float(float value) { return std::bit_cast<std::uint32_t>(value); }
float float_of_bits(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

/// NaN is quiet and keeps its payload, as processors with an instruction for it make it.
float from_half(std::uint32_t bits) {
  const auto value = static_cast<float>(std::bit_cast<float16_t>(static_cast<std::uint16_t>(bits)));
  if (value == value) return value;
  return float_of_bits(bits_of_float(value) | 0x400000);
}
/// Rounded to nearest, halves to even; NaN is the quiet one without payload.
std::uint16_t to_half(float value) {
  if (value == value) return std::bit_cast<std::uint16_t>(float16_t(value));
  return static_cast<std::uint16_t>((bits_of_float(value) >> 16 & 0x8000) | 0x7e00);
}

/// A float without a sign, of 5 bits of exponent and some of fraction: a float16 cut off.
float from_small_float(std::uint32_t bits, std::uint32_t fraction) {
  return from_half(bits << (10 - fraction));
}
/// Rounded to the nearest that is finite, halves to even; infinity and NaN stay what they are, and what
/// is below zero is zero.
std::uint32_t to_small_float(float value, std::uint32_t fraction) {
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
std::uint32_t to_unorm(float value, std::uint32_t most) {
  if (!(value > 0.0f)) return 0;  // NaN, too
  if (value >= 1.0f) return most;
  return static_cast<std::uint32_t>(std::nearbyint(static_cast<double>(value) * most));
}
float from_unorm(std::uint32_t number, std::uint32_t most) {
  return static_cast<float>(number) / static_cast<float>(most);
}
/// [-1, 1] as -most to most, in the same way.
std::int32_t to_snorm(float value, std::int32_t most) {
  if (std::isnan(value)) return 0;
  return static_cast<std::int32_t>(
      std::nearbyint(static_cast<double>(std::clamp(value, -1.0f, 1.0f)) * most));
}
/// The lowest number stands for -1 as its neighbour does.
float from_snorm(std::int32_t number, std::int32_t most) {
  return std::max(static_cast<float>(number) / static_cast<float>(most), -1.0f);
}

/// The components of a texel that is one number.
void decode_packed(const ImageFormatInfo& info, std::uint32_t word, TexelBits& out) {
  for (std::size_t k = 0; k < info.components; ++k) {
    const std::uint32_t most = largest_of(info.bits[k]), number = word & most;
    word >>= info.bits[k];
    out[k] = info.coding == TexelCoding::floating
                 ? bits_of_float(from_small_float(number, info.bits[k] - 5))
             : info.coding == TexelCoding::unorm ? bits_of_float(from_unorm(number, most))
                                                 : number;
  }
}
std::uint32_t encode_packed(const ImageFormatInfo& info, const TexelBits& texel) {
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

// Of a format that is known where they are compiled, the branches below are none.

LOCKSTEP_INLINE TexelBits decode(const ImageFormatInfo& info, const std::byte* from) {
  const bool whole = info.coding == TexelCoding::sint || info.coding == TexelCoding::uint;
  TexelBits out{0, 0, 0, whole ? 1 : bits_of_float(1.0f)};
  const auto each = [&](auto type, auto convert) {
    using Raw = decltype(type);
    for (std::size_t k = 0; k < info.components; ++k) {
      Raw raw;
      std::memcpy(&raw, from + k * sizeof raw, sizeof raw);
      out[k] = static_cast<std::uint64_t>(convert(raw));
    }
  };
  const auto as_it_is = [](auto raw) { return raw; };
  const auto half = [](std::uint16_t raw) { return bits_of_float(from_half(raw)); };
  const auto unorm = [&](auto raw) {
    return bits_of_float(from_unorm(raw, largest_of(info.bits[0])));
  };
  const auto snorm = [&](auto raw) {
    const auto most = static_cast<std::int32_t>(largest_of(info.bits[0] - 1));
    return bits_of_float(from_snorm(raw, most));
  };
  if (info.packed()) {
    std::uint32_t word;
    std::memcpy(&word, from, sizeof word);
    decode_packed(info, word, out);
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

LOCKSTEP_INLINE void encode(const ImageFormatInfo& info, std::byte* to, const TexelBits& texel) {
  const auto each = [&](auto type, auto convert) {
    using Raw = decltype(type);
    for (std::size_t k = 0; k < info.components; ++k) {
      const auto raw = static_cast<Raw>(convert(texel[k]));
      std::memcpy(to + k * sizeof raw, &raw, sizeof raw);
    }
  };
  const auto as_it_is = [](std::uint64_t number) { return number; };
  const auto half = [](std::uint64_t number) { return to_half(float_of_bits(number)); };
  const auto unorm = [&](std::uint64_t number) {
    return to_unorm(float_of_bits(number), largest_of(info.bits[0]));
  };
  const auto snorm = [&](std::uint64_t number) {
    const auto most = static_cast<std::int32_t>(largest_of(info.bits[0] - 1));
    return to_snorm(float_of_bits(number), most);
  };
  if (info.packed()) {
    const std::uint32_t word = encode_packed(info, texel);
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

using Decode = TexelBits (*)(const std::byte*);
using Encode = void (*)(std::byte*, const TexelBits&);
constexpr auto every_format = std::make_index_sequence<std::size(image_formats)>{};

template <std::size_t... F>
constexpr auto make_decoders(std::index_sequence<F...>) {
  return std::array<Decode, sizeof...(F)>{
      [](const std::byte* from) { return decode(image_formats[F], from); }...};
}
template <std::size_t... F>
constexpr auto make_encoders(std::index_sequence<F...>) {
  return std::array<Encode, sizeof...(F)>{
      [](std::byte* to, const TexelBits& texel) { encode(image_formats[F], to, texel); }...};
}
constexpr auto decoders = make_decoders(every_format);
constexpr auto encoders = make_encoders(every_format);

}  // namespace

TexelBits decode_texel(ImageFormat format, const std::byte* from) {
  return decoders[static_cast<std::size_t>(format)](from);
}
void encode_texel(ImageFormat format, std::byte* to, const TexelBits& texel) {
  encoders[static_cast<std::size_t>(format)](to, texel);
}

}  // namespace lockstep
