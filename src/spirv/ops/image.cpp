#include <lockstep/dispatch/texel.hpp>

#include "spirv/ops/find.hpp"
#include "spirv/ops/memory_access.hpp"

/// \file
/// Texels to and from the four numbers that they are to a shader.

namespace lockstep::spirv {
namespace {

using U32 = std::uint32_t;

U32 lane_value(const Context& c, const Slot& slot, int lane) {
  U32 value;
  std::memcpy(&value, c.regs + slot.at + (slot.varying ? static_cast<std::size_t>(lane) * 4 : 0),
              sizeof value);
  return value;
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

/// T is the unsigned integer of the size that the texel's numbers have to the shader.
template <class T>
const Inst* image_load(const Inst* i, Context& c) {
  const ListArgs& list = list_of(i);
  for_each_lane(c.state.active, [&](int lane) {
    const TexelPlace from = texel_at(i, c, false, lane);
    const TexelBits texel = from.at != nullptr ? decode_texel(from.format, from.at) : TexelBits{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(list.results); ++k) {
      const auto number = static_cast<T>(texel[k]);
      std::memcpy(c.regs + list.result[k].at + static_cast<std::size_t>(lane) * sizeof number,
                  &number, sizeof number);
    }
  });
  return i + 1;
}

template <class T>
const Inst* image_store(const Inst* i, Context& c) {
  const ListArgs& list = list_of(i);
  for_each_lane(c.state.active, [&](int lane) {
    const TexelPlace to = texel_at(i, c, true, lane);
    if (to.at == nullptr) return;
    TexelBits texel;
    for (std::size_t k = 0; k < 4; ++k) {
      T number;
      const Slot& slot = list.slots[k + 1];
      std::memcpy(
          &number,
          c.regs + slot.at + (slot.varying ? static_cast<std::size_t>(lane) * sizeof number : 0),
          sizeof number);
      texel[k] = number;
    }
    encode_texel(to.format, to.at, texel);
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

Run find_image(Code code, Scalar type) {
  const bool wide = size_of(type) == 8;
  switch (code) {
    case Code::image_texel:
      return image_texel;
    case Code::image_load:
      return wide ? image_load<std::uint64_t> : image_load<std::uint32_t>;
    case Code::image_store:
      return wide ? image_store<std::uint64_t> : image_store<std::uint32_t>;
    default:
      return image_size;
  }
}

}  // namespace lockstep::spirv
