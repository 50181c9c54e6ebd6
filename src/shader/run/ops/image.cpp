#include <algorithm>

#include <lockstep/dispatch/texel.hpp>

#include "shader/run/ops/find.hpp"
#include "shader/run/ops/memory_access.hpp"
#include "shader/run/ops/texel_chunk.hpp"
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

/// Whether all lanes have the same image.
bool is_same_image(const ListArgs& list) {
  return list.counts.empty() || !list.slots.back().varying;
}

/// The indices of the lanes' texels in an image that is the same for all.
const Inst* image_texels(const Inst* i, Context& c) {
  const ListArgs& list = list_of(i);
  const std::size_t coordinates = list.slots.size() - list.counts.size();
  const Size3 extent = extent_of(i, c, 0);
  const U32 size[3] = {extent.x, extent.y, extent.z};
  const U32 strides[3] = {1, extent.x, extent.x * extent.y};
  for (unsigned k = 0; k < i->chunks; ++k) {
    Mask<chunk_lanes> inside = Mask<chunk_lanes>::all();
    const auto part = [&](std::size_t d) {
      if (d >= coordinates) return Uints(0);
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
  if (is_same_image(list) && !has_level(i)) return image_texels(i, c);
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
  bool has_image = false;
};

/// What a lane reads there. Outside the image that is 0, but a component that the format lacks is there, as inside; without
/// an image it is 0.
TexelBits texel_read(const TexelPlace& from) {
  if (from.at != nullptr) return decode_texel(from.format, from.at);
  static constexpr std::byte outside[16]{};
  return from.has_image ? decode_texel(from.format, outside) : TexelBits{};
}

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
    return {image.format, image.data + number * bytes, true};
  if (kind == AccessKind::read || tells_discarded(c))
    note_fault(c, i, kind, static_cast<U32>(which), number * bytes, lane);
  return {image.format, nullptr, image.data != nullptr};
}

/// The texels of the image that all lanes access; empty if lanes access different images.
texels::Texels texels_of(const Inst* i, Context& c) {
  const std::uint64_t image = is_same_image(list_of(i)) ? image_of(i, c, 0) : ~std::uint64_t{0};
  return texels::Texels(image < c.memory_count ? c.memory[image] : Memory{});
}

/// The lanes of a chunk whose texels are in the image.
Mask<chunk_lanes> lanes_inside(const texels::Texels& texels, const Uints& numbers) {
  return (numbers < Uints(texels.count)).mask();
}

/// Whether the texels of all active lanes are in the image.
bool all_inside(const Inst* i, const Context& c, const texels::Texels& texels) {
  for (unsigned k = 0; k < c.program->chunks; ++k) {
    const auto inside = lanes_inside(texels, get_chunk(c, list_of(i).slots[0], k));
    if (chunk_mask(c.state.active, static_cast<int>(k)).without(inside).any_lane()) return false;
  }
  return true;
}

/// Reads the texels of whole chunks, if all are in an image that allows it.
bool load_chunks(const Inst* i, Context& c) {
  const ListArgs& list = list_of(i);
  const texels::Texels texels = texels_of(i, c);
  if (!texels.can_be_accessed() || !all_inside(i, c, texels)) return false;
  texels::Components words;
  for (unsigned k = 0; k < i->chunks; ++k) {
    texels::fetch(texels, get_chunk(c, list.slots[0], k),
                  chunk_mask(c.state.active, static_cast<int>(k)), words);
    for (U32 n = 0; n < static_cast<U32>(list.results); ++n) {
      if (list.result[n].at == nowhere) continue;
      put<U32>(c.regs + list.result[n].at + k * chunk_bytes<U32>,
               n < texels.info.components ? texels::decoded(texels.info, words, n)
                                          : Uints(texels::missing(texels.info, n)));
    }
  }
  return true;
}

/// Writes the texels of whole chunks. Those outside the image are discarded, unless that is to be told.
bool store_chunks(const Inst* i, Context& c) {
  const ListArgs& list = list_of(i);
  const texels::Texels texels = texels_of(i, c);
  if (!texels.can_be_accessed() || (!all_inside(i, c, texels) && tells_discarded(c))) return false;
  texels::Components components, words;
  for (unsigned k = 0; k < c.program->chunks; ++k) {
    const Uints numbers = get_chunk(c, list.slots[0], k);
    const auto lanes =
        chunk_mask(c.state.active, static_cast<int>(k)) & lanes_inside(texels, numbers);
    if (!lanes.any_lane()) continue;
    for (std::size_t n = 0; n < texels.info.components; ++n)
      get_chunk(c, list.slots[n + 1], k).store(components.of[n]);
    texels::pack(texels.info, components, words);
    texels::write(texels, numbers, lanes, words);
  }
  return true;
}

/// T is the unsigned integer of the size that a texel's components have in the shader.
template <class T>
const Inst* image_load(const Inst* i, Context& c) {
  const ListArgs& list = list_of(i);
  if (sizeof(T) == 4 && load_chunks(i, c)) return i + 1;
  for_each_lane(c.state.active, [&](int lane) {
    const TexelBits texel = texel_read(texel_at(i, c, AccessKind::read, lane));
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
  if (sizeof(T) == 4 && store_chunks(i, c)) return i + 1;
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
  const Size3 extent = level == 0 ? image.extent : levels_of(image).extent(level);
  return {extent.x, extent.y, extent.z};
}

/// Whether these lanes of chunk k, one of which is `first`, ask for the same level of the same image.
bool is_same_query(const ListArgs& list, const Context& c, unsigned k, Mask<chunk_lanes> lanes,
                   int first) {
  return std::all_of(list.slots.begin(), list.slots.end(), [&](const Slot& slot) {
    const auto same = get_chunk(c, slot, k) == Uints(lane_value(c, slot, first));
    return !slot.varying || !lanes.without(same.mask()).any_lane();
  });
}

const Inst* image_size(const Inst* i, Context& c) {
  const ListArgs& list = list_of(i);
  const auto results = static_cast<std::size_t>(list.results);
  const auto put_chunk = [&](unsigned k, const std::array<U32, 3>& size) {
    for (std::size_t n = 0; n < results; ++n)
      put<U32>(c.regs + list.result[n].at + k * chunk_bytes<U32>, Uints(size[n]));
  };
  if (!i->varying_result()) {
    put_chunk(0, found_for(i, c, 0));
    return i + 1;
  }
  for (unsigned k = 0; k < i->chunks; ++k) {
    const Mask<chunk_lanes> lanes = chunk_mask(c.state.active, static_cast<int>(k));
    if (!lanes.any_lane()) continue;
    const int before = static_cast<int>(k) * chunk_lanes, first = before + lanes.first();
    if (is_same_query(list, c, k, lanes, first)) {
      put_chunk(k, found_for(i, c, first));
      continue;
    }
    for_each_lane(lanes, [&](int lane) {
      const std::array<U32, 3> size = found_for(i, c, before + lane);
      for (std::size_t n = 0; n < results; ++n) put_lane(c, list.result[n], before + lane, size[n]);
    });
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
