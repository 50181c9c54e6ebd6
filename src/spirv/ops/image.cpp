#include <cmath>

#include "spirv/ops/find.hpp"
#include "spirv/ops/memory_access.hpp"

/// \file
/// Texels to and from the four numbers that they are to a shader.

namespace lockstep::spirv {
namespace {

using U32 = std::uint32_t;
using Texel = std::array<U32, 4>;  ///< bits of four floats or integers

U32 float_bits(float value) { return std::bit_cast<U32>(value); }

template <class T>
T raw(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

float from_half(std::uint16_t bits) { return static_cast<float>(std::bit_cast<float16_t>(bits)); }
std::uint16_t to_half(U32 bits) {
  return std::bit_cast<std::uint16_t>(float16_t(std::bit_cast<float>(bits)));
}
/// [0, 1] as 0 to 255, rounded to nearest, halves to even; NaN is 0.
U32 to_unorm8(U32 bits) {
  const float value = std::bit_cast<float>(bits);
  if (!(value > 0.0f)) return 0;
  if (value >= 1.0f) return 255;
  return static_cast<U32>(std::nearbyint(static_cast<double>(value) * 255.0));
}

/// What the format lacks is 0, of the fourth component 1.
Texel decode(ImageFormat format, const std::byte* from) {
  const U32 one = float_bits(1.0f);
  switch (format) {
    case ImageFormat::r16f:
      return {float_bits(from_half(raw<std::uint16_t>(from))), 0, 0, one};
    case ImageFormat::r32f:
      return {raw<U32>(from), 0, 0, one};
    case ImageFormat::rgba8: {
      Texel texel;
      for (std::size_t k = 0; k < 4; ++k)
        texel[k] = float_bits(static_cast<float>(raw<std::uint8_t>(from + k)) / 255.0f);
      return texel;
    }
    case ImageFormat::rgba16f: {
      Texel texel;
      for (std::size_t k = 0; k < 4; ++k)
        texel[k] = float_bits(from_half(raw<std::uint16_t>(from + 2 * k)));
      return texel;
    }
    case ImageFormat::rgba32f:
      return raw<Texel>(from);
    default:
      return {raw<U32>(from), 0, 0, 1};
  }
}

void encode(ImageFormat format, std::byte* to, const Texel& texel) {
  switch (format) {
    case ImageFormat::r16f: {
      const std::uint16_t half = to_half(texel[0]);
      std::memcpy(to, &half, sizeof half);
      break;
    }
    case ImageFormat::rgba8:
      for (std::size_t k = 0; k < 4; ++k) to[k] = static_cast<std::byte>(to_unorm8(texel[k]));
      break;
    case ImageFormat::rgba16f:
      for (std::size_t k = 0; k < 4; ++k) {
        const std::uint16_t half = to_half(texel[k]);
        std::memcpy(to + 2 * k, &half, sizeof half);
      }
      break;
    case ImageFormat::rgba32f:
      std::memcpy(to, texel.data(), sizeof texel);
      break;
    default:
      std::memcpy(to, texel.data(), 4);
  }
}

U32 lane_value(const Context& c, const Slot& slot, int lane) {
  return raw<U32>(c.regs + slot.at + (slot.varying ? static_cast<std::size_t>(lane) * 4 : 0));
}
void put_lane(Context& c, const Slot& slot, int lane, U32 value) {
  std::memcpy(c.regs + slot.at + static_cast<std::size_t>(lane) * 4, &value, sizeof value);
}

const ListArgs& list_of(const Inst* i) { return *static_cast<const ListArgs*>(i->args); }

/// Which image of the dispatch's memory a lane means: of an array its last operand says which.
std::uint64_t image_of(const Inst* i, Context& c, int lane) {
  const ListArgs& list = list_of(i);
  if (list.counts.empty()) return i->imm;
  const U32 element = lane_value(c, list.slots.back(), lane);
  return element < list.counts[0] ? i->imm + element : ~std::uint64_t{0};
}
Size3 extent_of(const Inst* i, Context& c, int lane) {
  const std::uint64_t image = image_of(i, c, lane);
  return image < c.memory_count ? c.memory[image].extent : Size3{0, 0, 0};
}

const Inst* image_texel(const Inst* i, Context& c) {
  const ListArgs& list = list_of(i);
  const std::size_t coordinates = list.slots.size() - list.counts.size();
  for_each_lane(c.state.active, [&](int lane) {
    const Size3 extent = extent_of(i, c, lane);
    const U32 size[3] = {extent.x, extent.y, extent.z};
    U32 number = 0, before = 1;
    for (std::size_t k = 0; k < coordinates; ++k) {
      const U32 at = lane_value(c, list.slots[k], lane);
      if (at >= size[k]) return put_lane(c, list.result[0], lane, 0xffffffff);
      number += at * before;
      before *= size[k];
    }
    put_lane(c, list.result[0], lane, number);
  });
  return i + 1;
}

struct TexelPlace {
  ImageFormat format = ImageFormat::r32f;
  std::byte* at = nullptr;
};

/// Where a lane's texel is; null, and a fault, outside the image.
TexelPlace texel_at(const Inst* i, Context& c, bool write, int lane) {
  const std::uint64_t which = image_of(i, c, lane);
  if (which >= c.memory_count) {
    note_fault(c, i, write, ~U32{0}, 0, lane);
    return {};
  }
  const Memory& image = c.memory[which];
  const U32 number = lane_value(c, list_of(i).slots[0], lane);
  const std::uint64_t bytes = texel_bytes(image.format);
  if (number != 0xffffffff && (number + std::uint64_t{1}) * bytes <= image.size)
    return {image.format, image.data + number * bytes};
  note_fault(c, i, write, static_cast<U32>(which), number * bytes, lane);
  return {};
}

const Inst* image_load(const Inst* i, Context& c) {
  const ListArgs& list = list_of(i);
  for_each_lane(c.state.active, [&](int lane) {
    const TexelPlace from = texel_at(i, c, false, lane);
    const Texel texel = from.at != nullptr ? decode(from.format, from.at) : Texel{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(list.results); ++k)
      put_lane(c, list.result[k], lane, texel[k]);
  });
  return i + 1;
}

const Inst* image_store(const Inst* i, Context& c) {
  const ListArgs& list = list_of(i);
  for_each_lane(c.state.active, [&](int lane) {
    const TexelPlace to = texel_at(i, c, true, lane);
    if (to.at == nullptr) return;
    Texel texel;
    for (std::size_t k = 0; k < 4; ++k) texel[k] = lane_value(c, list.slots[k + 1], lane);
    encode(to.format, to.at, texel);
  });
  return i + 1;
}

const Inst* image_size(const Inst* i, Context& c) {
  const ListArgs& list = list_of(i);
  const int lanes = i->varying_result() ? i->chunks * chunk_lanes : chunk_lanes;
  for (int lane = 0; lane < lanes; ++lane) {
    const Size3 extent = extent_of(i, c, lane);
    const U32 size[3] = {extent.x, extent.y, extent.z};
    for (std::size_t k = 0; k < static_cast<std::size_t>(list.results); ++k)
      put_lane(c, list.result[k], lane, size[k]);
  }
  return i + 1;
}

}  // namespace

Run find_image(Code code, Scalar) {
  switch (code) {
    case Code::image_texel:
      return image_texel;
    case Code::image_load:
      return image_load;
    case Code::image_store:
      return image_store;
    default:
      return image_size;
  }
}

}  // namespace lockstep::spirv
