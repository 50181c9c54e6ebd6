#include <lockstep/dispatch/texel.hpp>
#include <lockstep/lanes/detail/gather.hpp>

#include "shader/run/ops/find.hpp"
#include "shader/run/ops/memory_access.hpp"
#include "shader/run/settings_of_run.hpp"

/// \file
/// Conversion between texels and the four numbers that a shader sees.

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

/// The resource of a lane's image. In an array of images, the last operand selects it.
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

using Uints = Chunk<U32>;

Uints get_chunk(const Context& c, const Slot& slot, unsigned k) {
  return get<U32>(c.regs + slot.at + (slot.varying ? k * chunk_bytes<U32> : 0));
}

/// The indices of the lanes' texels in a uniform image.
const Inst* image_texels(const Inst* i, Context& c) {
  const ListArgs& list = list_of(i);
  const Size3 extent = extent_of(i, c, 0);
  const U32 size[3] = {extent.x, extent.y, extent.z};
  const U32 strides[3] = {1, extent.x, extent.x * extent.y};
  for (unsigned k = 0; k < i->chunks; ++k) {
    Mask<chunk_lanes> inside = Mask<chunk_lanes>::all();
    const auto part = [&](std::size_t d) {
      if (d >= list.slots.size()) return Uints(0);
      const Uints at = get_chunk(c, list.slots[d], k);
      inside = inside & (at < Uints(size[d])).mask();
      return at * Uints(strides[d]);
    };
    const Uints x = part(0), y = part(1), z = part(2);
    put<U32>(c.regs + list.result[0].at + k * chunk_bytes<U32>,
             select(inside, x + y + z, Uints(0xffffffff)));
  }
  return i + 1;
}

bool has_level(const Inst* i) { return i->b != 0; }

/// The level that a lane names, the operand before that of an array's element; 0 without one.
U32 level_of(const Inst* i, Context& c, int lane) {
  const ListArgs& list = list_of(i);
  return has_level(i) ? lane_value(c, list.slots[list.slots.size() - list.counts.size() - 1], lane)
                      : 0;
}

const Inst* image_texel(const Inst* i, Context& c) {
  const ListArgs& list = list_of(i);
  if (list.counts.empty() && !has_level(i)) return image_texels(i, c);
  const std::size_t coordinates = list.slots.size() - list.counts.size() - (has_level(i) ? 1 : 0);
  for_each_lane(c.state.active, [&](int lane) {
    const std::uint64_t image = image_of(i, c, lane);
    const U32 level = level_of(i, c, lane);
    const MipLevels levels =
        image < c.memory_count ? levels_of(c.memory[image]) : MipLevels{{0, 0, 0}};
    if (level >= levels.count) return put_lane(c, list.result[0], lane, 0xffffffff);
    const Size3 extent = levels.extent(level);
    const U32 size[3] = {extent.x, extent.y, extent.z};
    U32 number = static_cast<U32>(levels.before(level)), before = 1;
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

/// The address of a lane's texel; null outside the image, which is a fault unless it is a store of an unchecked run.
TexelPlace texel_at(const Inst* i, Context& c, AccessKind kind, int lane) {
  const std::uint64_t which = image_of(i, c, lane);
  if (which >= c.memory_count) {
    note_fault(c, i, kind, ~U32{0}, 0, lane);
    return {};
  }
  const Memory& image = c.memory[which];
  const U32 number = lane_value(c, list_of(i).slots[0], lane);
  const std::uint64_t bytes = texel_bytes(image.format);
  if (number != 0xffffffff && (number + std::uint64_t{1}) * bytes <= image.size)
    return {image.format, image.data + number * bytes};
  if (kind == AccessKind::read || tells_discarded(c))
    note_fault(c, i, kind, static_cast<U32>(which), number * bytes, lane);
  return {};
}

bool is_single(ImageFormat format) {
  return format == ImageFormat::r16f || format == ImageFormat::r32f ||
         format == ImageFormat::r32ui || format == ImageFormat::r32i;
}

/// Reads texels of one 16- or 32-bit number from a uniform image, if each is in bounds; returns
/// that number and the format's other components.
bool load_single(const Inst* i, Context& c) {
  const ListArgs& list = list_of(i);
  if (!list.counts.empty() || i->imm >= c.memory_count) return false;
  const Memory& image = c.memory[i->imm];
  if (!is_single(image.format)) return false;
  const std::uint64_t texels = image.size / texel_bytes(image.format);
  if (texels == 0 || image.size > 0x7fffffff) return false;
  const auto lanes = [&](unsigned k) { return chunk_mask(c.state.active, static_cast<int>(k)); };
  for (unsigned k = 0; k < i->chunks; ++k) {
    const auto inside = get_chunk(c, list.slots[0], k) < Uints(static_cast<U32>(texels));
    if (lanes(k).without(inside.mask()).any_lane()) return false;
  }
  const TexelBits others = decode_texel(image.format, image.data);
  for (unsigned k = 0; k < i->chunks; ++k) {
    const auto to = [&](std::size_t n) {
      return c.regs + list.result[n].at + k * chunk_bytes<U32>;
    };
    const Uints number = get_chunk(c, list.slots[0], k);
    if (list.result[0].at != nowhere && image.format == ImageFormat::r16f) {
      float16_t half[chunk_lanes] = {};
      for_each_lane(lanes(k), [&](int lane) {
        std::memcpy(half + lane, image.data + std::size_t{number[lane]} * 2, 2);
      });
      put<float>(to(0), Chunk<float>(Chunk<float16_t>::load(half)));
    } else if (list.result[0].at != nowhere) {
      detail::gather_words(reinterpret_cast<U32*>(to(0)), image.data, lanes(k), number * Uints(4));
    }
    for (std::size_t n = 1; n < static_cast<std::size_t>(list.results); ++n) {
      if (list.result[n].at != nowhere) put<U32>(to(n), Uints(static_cast<U32>(others[n])));
    }
  }
  return true;
}

/// T is the unsigned integer of the size that a texel's components have in the shader.
template <class T>
const Inst* image_load(const Inst* i, Context& c) {
  const ListArgs& list = list_of(i);
  if (sizeof(T) == 4 && load_single(i, c)) return i + 1;
  for_each_lane(c.state.active, [&](int lane) {
    const TexelPlace from = texel_at(i, c, AccessKind::read, lane);
    const TexelBits texel = from.at != nullptr ? decode_texel(from.format, from.at) : TexelBits{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(list.results); ++k) {
      if (list.result[k].at == nowhere) continue;
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
    const TexelPlace to = texel_at(i, c, AccessKind::write, lane);
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

/// What image_size finds for a lane; zeros for an image or a level that there is not.
std::array<U32, 3> found_for(const Inst* i, Context& c, int lane) {
  const std::uint64_t number = image_of(i, c, lane);
  if (number >= c.memory_count || c.memory[number].data == nullptr) return {};
  const Memory& image = c.memory[number];
  switch (static_cast<ImageOp::Query>(i->c)) {
    case ImageOp::Query::levels:
      return {image.levels};
    case ImageOp::Query::samples:
      return {image.samples};
    default:
      break;
  }
  const U32 level = level_of(i, c, lane);
  if (level >= image.levels) return {};
  const Size3 extent = levels_of(image).extent(level);
  return {extent.x, extent.y, extent.z};
}

const Inst* image_size(const Inst* i, Context& c) {
  const ListArgs& list = list_of(i);
  if (list.counts.empty() && !has_level(i)) {
    const std::array<U32, 3> size = found_for(i, c, 0);
    for (std::size_t k = 0; k < static_cast<std::size_t>(list.results); ++k) {
      for (unsigned chunk = 0; chunk < i->chunks; ++chunk)
        put<U32>(c.regs + list.result[k].at + chunk * chunk_bytes<U32>, Uints(size[k]));
    }
    return i + 1;
  }
  const int lanes = i->varying_result() ? i->chunks * chunk_lanes : chunk_lanes;
  for (int lane = 0; lane < lanes; ++lane) {
    const std::array<U32, 3> size = found_for(i, c, lane);
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
