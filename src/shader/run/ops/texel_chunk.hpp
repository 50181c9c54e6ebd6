#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include <lockstep/dispatch/texel.hpp>
#include <lockstep/lanes/detail/gather.hpp>
#include <lockstep/lanes/detail/near_words.hpp>

#include "shader/run/ops/chunk.hpp"

/// \file
/// The texels of a chunk's lanes at once, for formats whose components are 8, 16 or 32 bits. Same results as
/// decode_texel and encode_texel, which handle one texel.

namespace lockstep::spirv::texels {

using U32 = std::uint32_t;
using Uints = Chunk<U32>;
using Ints = Chunk<std::int32_t>;
using Floats = Chunk<float>;

/// A number of each lane for each component of a texel.
struct Components {
  alignas(64) U32 of[4][chunk_lanes];
};

/// An image whose texels are accessed that way.
struct Texels {
  std::byte* data = nullptr;
  ImageFormatInfo info = info_of(ImageFormat::r32f);
  U32 bytes = 0, count = 0;  ///< all bytes, and whole texels

  explicit Texels(const Memory& image)
      : data(image.data),
        info(info_of(image.format)),
        bytes(static_cast<U32>(std::min<std::uint64_t>(image.size, most_bytes))),
        count(image.size <= most_bytes ? bytes / info.bytes : 0) {}

  /// Offsets are signed 32-bit numbers, and narrow texels are read with what follows them.
  bool can_be_accessed() const {
    return !info.packed() && info.bits[0] <= 32 && count > 0 && bytes >= sizeof(U32);
  }

 private:
  static constexpr std::uint64_t most_bytes = 0x7fffffff;
};

// ---- From memory ----

/// The words of texels: all of a texel with 32 bits or more, or one in the low bits of a word.
LOCKSTEP_INLINE void fetch(const Texels& from, const Uints& numbers, Mask<chunk_lanes> lanes,
                           Components& words) {
  const Uints at = numbers * Uints(from.info.bytes);
  if (from.info.bytes >= sizeof(U32)) {
    if (from.info.bytes == sizeof(U32) &&
        detail::near_words(words.of[0], from.data, from.bytes, lanes, at))
      return;
    for (U32 k = 0; k < from.info.bytes / sizeof(U32); ++k)
      detail::gather_words(words.of[k], from.data + k * sizeof(U32), lanes, at);
    return;
  }
  if (detail::near_words(words.of[0], from.data, from.bytes, lanes, at)) return;
  // Of the last texels the word before the end: there may be no memory behind it.
  const Uints last(from.bytes - static_cast<U32>(sizeof(U32)));
  const Uints first = select(at < last, at, last);
  detail::gather_words(words.of[0], from.data, lanes, first);
  (Uints::load(words.of[0]) >> ((at - first) * Uints(8))).store(words.of[0]);
}

LOCKSTEP_INLINE Floats from_halves(const Uints& halves) {
  alignas(64) U32 bits[chunk_lanes];
  alignas(64) float values[chunk_lanes];
  halves.store(bits);
  for (int lane = 0; lane < chunk_lanes; ++lane)
    values[lane] = detail::float_from_half(static_cast<std::uint16_t>(bits[lane]));
  return Floats::load(values);
}

LOCKSTEP_INLINE Uints bits_of(const Floats& values) {
  alignas(64) float in[chunk_lanes];
  alignas(64) U32 bits[chunk_lanes];
  values.store(in);
  std::memcpy(bits, in, sizeof bits);
  return Uints::load(bits);
}

LOCKSTEP_INLINE Floats floats_of(const Uints& bits) {
  alignas(64) U32 in[chunk_lanes];
  alignas(64) float values[chunk_lanes];
  bits.store(in);
  std::memcpy(values, in, sizeof values);
  return Floats::load(values);
}

/// What a component that the format has is in a shader.
LOCKSTEP_INLINE Uints decoded(const ImageFormatInfo& info, const Components& words, U32 component) {
  const U32 bits = info.bits[0], at = component * bits;
  const Uints word = Uints::load(words.of[at / 32]);
  if (bits == 32) return word;
  const U32 above = 32 - bits - at % 32;
  if (info.coding == TexelCoding::sint || info.coding == TexelCoding::snorm) {
    const Ints number = Ints(word << Uints(above)) >> Ints(static_cast<std::int32_t>(32 - bits));
    if (info.coding == TexelCoding::sint) return Uints(number);
    const Floats value = Floats(number) / Floats(static_cast<float>((1u << (bits - 1)) - 1));
    return bits_of(select(value < Floats(-1.0f), Floats(-1.0f), value));
  }
  const Uints number = word << Uints(above) >> Uints(32 - bits);
  if (info.coding == TexelCoding::uint) return number;
  if (info.coding == TexelCoding::floating) return bits_of(from_halves(number));
  return bits_of(Floats(Ints(number)) / Floats(static_cast<float>((1u << bits) - 1)));
}

/// What a component that the format lacks is.
inline U32 missing(const ImageFormatInfo& info, std::size_t component) {
  if (component < 3) return 0;
  return info.number() == TexelNumber::float32 ? std::bit_cast<U32>(1.0f) : 1;
}

// ---- To memory ----

/// From floats to whole numbers, rounded to nearest, ties to even: the product is exact in double, and so is the sum,
/// whose lowest bit is worth 1. NaN becomes 0.
LOCKSTEP_INLINE Uints to_fixed(const Uints& bits, float least, U32 most) {
  const Floats value = floats_of(bits), number = select(value == value, value, Floats(0.0f)),
               above = select(Floats(least) < number, number, Floats(least)),
               limited = select(above < Floats(1.0f), above, Floats(1.0f));
  alignas(64) float values[chunk_lanes];
  alignas(64) std::uint64_t sums[chunk_lanes];
  alignas(64) U32 out[chunk_lanes];
  limited.store(values);
  const double factor = most;
  for (int lane = 0; lane < chunk_lanes; ++lane)
    sums[lane] =
        std::bit_cast<std::uint64_t>(static_cast<double>(values[lane]) * factor + 0x1.8p52);
  for (int lane = 0; lane < chunk_lanes; ++lane) out[lane] = static_cast<U32>(sums[lane]);
  return Uints::load(out);
}

LOCKSTEP_INLINE Uints to_halves(const Uints& bits) {
  alignas(64) U32 in[chunk_lanes], out[chunk_lanes];
  bits.store(in);
  for (int lane = 0; lane < chunk_lanes; ++lane) {
    const float value = std::bit_cast<float>(in[lane]);
    // A NaN loses its payload.
    out[lane] =
        value == value ? detail::half_from_float(value) : (in[lane] >> 16 & 0x8000u) | 0x7e00u;
  }
  return Uints::load(out);
}

/// A component as the format stores it, in the low bits.
LOCKSTEP_INLINE Uints encoded(const ImageFormatInfo& info, const Uints& component) {
  const U32 bits = info.bits[0];
  if (bits == 32) return component;
  if (info.coding == TexelCoding::unorm) return to_fixed(component, 0.0f, (1u << bits) - 1);
  if (info.coding == TexelCoding::snorm) return to_fixed(component, -1.0f, (1u << (bits - 1)) - 1);
  return info.coding == TexelCoding::floating ? to_halves(component) : component;
}

/// The words of texels with these components.
LOCKSTEP_INLINE void pack(const ImageFormatInfo& info, const Components& components,
                          Components& words) {
  const U32 bits = info.bits[0];
  for (U32 k = 0; k < info.components; ++k) {
    const U32 word = k * bits / 32, at = k * bits % 32;
    const Uints part = encoded(info, Uints::load(components.of[k]));
    const Uints below = at == 0 ? Uints(0u) : Uints::load(words.of[word]) & Uints((1u << at) - 1);
    (below | part << Uints(at)).store(words.of[word]);
  }
}

/// Writes the texels of the lanes, one after the other: if several write one, the last remains.
template <std::size_t bytes>
void write(const Texels& to, const U32* numbers, Mask<chunk_lanes> lanes, const Components& words) {
  constexpr std::size_t part = std::min(bytes, sizeof(U32));
  for_each_lane(lanes, [&](int lane) {
    std::byte* const at = to.data + std::size_t{numbers[lane]} * bytes;
    for (std::size_t k = 0; k < bytes / part; ++k)
      std::memcpy(at + k * part, &words.of[k][lane], part);
  });
}

inline void write(const Texels& to, const Uints& numbers, Mask<chunk_lanes> lanes,
                  const Components& words) {
  alignas(64) U32 number[chunk_lanes];
  numbers.store(number);
  switch (to.info.bytes) {
    case 1:
      return write<1>(to, number, lanes, words);
    case 2:
      return write<2>(to, number, lanes, words);
    case 4:
      return write<4>(to, number, lanes, words);
    case 8:
      return write<8>(to, number, lanes, words);
    default:
      return write<16>(to, number, lanes, words);
  }
}

}  // namespace lockstep::spirv::texels
