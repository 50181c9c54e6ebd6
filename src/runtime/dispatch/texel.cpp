#include <lockstep/dispatch/texel.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>

#include <lockstep/config.hpp>
#include <lockstep/lanes/float16.hpp>

namespace lockstep {
namespace {

std::uint64_t bits_of_float(float value) { return std::bit_cast<std::uint32_t>(value); }
float float_of_bits(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

/// NaN becomes quiet and keeps its payload, as with the processors' conversion instruction.
float from_half(std::uint32_t bits) {
  const auto value = static_cast<float>(std::bit_cast<float16_t>(static_cast<std::uint16_t>(bits)));
  if (value == value) return value;
  return float_of_bits(bits_of_float(value) | 0x400000);
}
/// Rounded to nearest, ties to even; NaN becomes the quiet NaN without payload.
std::uint16_t to_half(float value) {
  if (value == value) return std::bit_cast<std::uint16_t>(float16_t(value));
  return static_cast<std::uint16_t>((bits_of_float(value) >> 16 & 0x8000) | 0x7e00);
}

/// An unsigned float with 5 bits of exponent and some of fraction: a truncated float16.
float from_small_float(std::uint32_t bits, std::uint32_t fraction) {
  return from_half(bits << (10 - fraction));
}
/// Rounded to the nearest finite value, ties to even; infinity and NaN are unchanged, and negative
/// values become zero.
std::uint32_t to_small_float(float value, std::uint32_t fraction) {
  const std::uint32_t infinity = 31u << fraction;
  if (std::isnan(value)) return infinity | 1u << (fraction - 1);
  if (!(value > 0.0f)) return 0;
  if (std::isinf(value)) return infinity;
  constexpr int smallest = -14;
  const int exponent = std::max(std::ilogb(value), smallest);
  // The value in units of the last place: one more bit than the fraction, except for subnormals.
  const double steps =
      std::nearbyint(std::ldexp(static_cast<double>(value), static_cast<int>(fraction) - exponent));
  const std::uint32_t rounded = (static_cast<std::uint32_t>(exponent - smallest) << fraction) +
                                static_cast<std::uint32_t>(steps);
  return std::min(rounded, infinity - 1);
}

/// The largest number with this many bits, or the largest positive one of a signed number.
constexpr std::uint32_t largest_of(std::uint32_t bits) { return (1u << bits) - 1; }

/// [0, 1] to 0 to `most`, rounded to nearest, ties to even. The product is exact in double.
std::uint32_t to_unorm(float value, std::uint32_t most) {
  if (!(value > 0.0f)) return 0;  // NaN, too
  if (value >= 1.0f) return most;
  return static_cast<std::uint32_t>(std::nearbyint(static_cast<double>(value) * most));
}
float from_unorm(std::uint32_t number, std::uint32_t most) {
  return static_cast<float>(number) / static_cast<float>(most);
}
/// [-1, 1] to -most to most, in the same way.
std::int32_t to_snorm(float value, std::int32_t most) {
  if (std::isnan(value)) return 0;
  return static_cast<std::int32_t>(
      std::nearbyint(static_cast<double>(std::clamp(value, -1.0f, 1.0f)) * most));
}
/// The lowest number means -1, like its neighbour.
float from_snorm(std::int32_t number, std::int32_t most) {
  return std::max(static_cast<float>(number) / static_cast<float>(most), -1.0f);
}

/// The components of a texel that is stored as one number.
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

// For a format known at compile time, the branches below disappear.

/// Calls f with a number of the type in which the components of a texel are stored, if they have
/// equal bits.
template <typename F>
LOCKSTEP_INLINE void with_raw(const ImageFormatInfo& info, F&& f) {
  const bool is_signed = info.coding == TexelCoding::sint || info.coding == TexelCoding::snorm;
  switch (info.bits[0]) {
    case 8:
      return is_signed ? f(std::int8_t{}) : f(std::uint8_t{});
    case 16:
      return is_signed ? f(std::int16_t{}) : f(std::uint16_t{});
    case 32:
      return is_signed ? f(std::int32_t{}) : f(std::uint32_t{});
    default:
      return is_signed ? f(std::int64_t{}) : f(std::uint64_t{});
  }
}

/// The largest number in which a component is stored.
template <typename Raw>
constexpr auto most_of = std::numeric_limits<Raw>::max();

template <typename Raw>
LOCKSTEP_INLINE std::uint64_t decode_component(TexelCoding coding, Raw raw) {
  if constexpr (sizeof raw <= 2) {
    if (coding == TexelCoding::floating)
      return bits_of_float(from_half(static_cast<std::uint16_t>(raw)));
    if (coding == TexelCoding::unorm)
      return bits_of_float(from_unorm(static_cast<std::uint16_t>(raw), most_of<Raw>));
    if (coding == TexelCoding::snorm) return bits_of_float(from_snorm(raw, most_of<Raw>));
  }
  return static_cast<std::uint64_t>(raw);
}
template <typename Raw>
LOCKSTEP_INLINE Raw encode_component(TexelCoding coding, std::uint64_t bits) {
  if constexpr (sizeof(Raw) <= 2) {
    const float value = float_of_bits(bits);
    if (coding == TexelCoding::floating) return static_cast<Raw>(to_half(value));
    if (coding == TexelCoding::unorm) return static_cast<Raw>(to_unorm(value, most_of<Raw>));
    if (coding == TexelCoding::snorm) return static_cast<Raw>(to_snorm(value, most_of<Raw>));
  }
  return static_cast<Raw>(bits);
}

LOCKSTEP_INLINE TexelBits decode(const ImageFormatInfo& info, const std::byte* from) {
  const bool whole = info.coding == TexelCoding::sint || info.coding == TexelCoding::uint;
  TexelBits out{0, 0, 0, whole ? 1 : bits_of_float(1.0f)};
  if (info.packed()) {
    std::uint32_t word;
    std::memcpy(&word, from, sizeof word);
    decode_packed(info, word, out);
    return out;
  }
  with_raw(info, [&](auto raw) {
    for (std::size_t k = 0; k < info.components; ++k) {
      std::memcpy(&raw, from + k * sizeof raw, sizeof raw);
      out[k] = decode_component(info.coding, raw);
    }
  });
  return out;
}

LOCKSTEP_INLINE void encode(const ImageFormatInfo& info, std::byte* to, const TexelBits& texel) {
  if (info.packed()) {
    const std::uint32_t word = encode_packed(info, texel);
    std::memcpy(to, &word, sizeof word);
    return;
  }
  with_raw(info, [&](auto raw) {
    for (std::size_t k = 0; k < info.components; ++k) {
      raw = encode_component<decltype(raw)>(info.coding, texel[k]);
      std::memcpy(to + k * sizeof raw, &raw, sizeof raw);
    }
  });
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
