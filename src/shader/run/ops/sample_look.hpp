#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include <lockstep/dispatch/sampler.hpp>
#include <lockstep/dispatch/texel.hpp>

#include "shader/run/ops/cube.hpp"
#include "shader/run/ops/memory_access.hpp"

/// \file
/// The texels that a coordinate addresses in a level of an image, through a sampler.

namespace lockstep::spirv::sampling {

inline std::uint64_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
inline float float_of(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

inline std::uint32_t lane_bits(const Context& c, const Slot& slot, int lane) {
  std::uint32_t value;
  std::memcpy(&value, c.regs + slot.at + (slot.varying ? static_cast<std::size_t>(lane) * 4 : 0),
              sizeof value);
  return value;
}

/// One lane's view of a level of an image, and its sampler.
struct Look {
  const Memory& image;
  const Sampler& sampler;
  const SampleArgs& args;
  Size3 extent;              ///< of the level
  std::uint64_t before = 0;  ///< texels before the level

  Look(const Memory& of, const Sampler& s, const SampleArgs& a)
      : image(of), sampler(s), args(a), extent(of.extent) {}
  Look at_level(std::uint32_t level) const {
    Look look(image, sampler, args);
    const MipLevels levels = levels_of(image);
    look.extent = levels.extent(level);
    look.before = levels.before(level);
    return look;
  }
};

inline std::int64_t extent_of(const Look& look, std::size_t axis) {
  return axis == 0 ? look.extent.x : axis == 1 ? look.extent.y : look.extent.z;
}

/// The texel that a coordinate beyond the edge wraps to; -1 for the border.
inline std::int64_t wrap(std::int64_t at, std::int64_t size, AddressMode mode) {
  const auto modulo = [](std::int64_t a, std::int64_t n) { return (a % n + n) % n; };
  const auto mirror = [](std::int64_t a) { return a >= 0 ? a : -(1 + a); };
  switch (mode) {
    case AddressMode::repeat:
      return modulo(at, size);
    case AddressMode::mirrored_repeat:
      return size - 1 - mirror(modulo(at, 2 * size) - size);
    case AddressMode::clamp_to_edge:
      return std::clamp<std::int64_t>(at, 0, size - 1);
    case AddressMode::clamp_to_border:
      return at < 0 || at >= size ? -1 : at;
    case AddressMode::mirror_clamp_to_edge:
      return std::min(mirror(at), size - 1);
  }
  return -1;
}

/// Components that the format lacks are as in its texels.
inline TexelBits border_of(const Look& look) {
  const ImageFormatInfo& info = info_of(look.image.format);
  const std::uint64_t one = info.number() != TexelNumber::float32 ? 1 : bits_of(1.0f);
  const std::uint64_t colour = look.sampler.border_color == BorderColor::opaque_white ? one : 0;
  const bool opaque = look.sampler.border_color != BorderColor::transparent_black;
  const auto part = [&](std::uint32_t k) { return k < info.components ? colour : 0; };
  return {part(0), part(1), part(2), opaque || info.components < 4 ? one : 0};
}

inline bool compare(CompareOp op, float reference, float texel) {
  switch (op) {
    case CompareOp::never:
      return false;
    case CompareOp::less:
      return reference < texel;
    case CompareOp::equal:
      return reference == texel;
    case CompareOp::less_or_equal:
      return reference <= texel;
    case CompareOp::greater:
      return reference > texel;
    case CompareOp::not_equal:
      return reference != texel;
    case CompareOp::greater_or_equal:
      return reference >= texel;
    case CompareOp::always:
      return true;
  }
  return false;
}

using Place = std::array<std::int64_t, 3>;

/// The texel of that number in the level, or the border's colour for a negative one, compared if the
/// instruction does.
inline TexelBits numbered_texel(const Look& look, std::int64_t number, float reference) {
  const std::uint64_t bytes = texel_bytes(look.image.format);
  TexelBits texel =
      number < 0 ? border_of(look)
                 : decode_texel(look.image.format,
                                look.image.data +
                                    (look.before + static_cast<std::uint64_t>(number)) * bytes);
  if (look.args.compares) {
    const float value = float_of(texel[0]);
    const bool fixed = info_of(look.image.format).coding == TexelCoding::unorm;
    const float wanted = fixed ? std::clamp(reference, 0.0f, 1.0f) : reference;
    const bool holds = compare(look.sampler.compare_op, wanted, value);
    texel = {bits_of(holds ? 1.0f : 0.0f), 0, 0, bits_of(1.0f)};
  }
  return texel;
}

inline bool is_cube(const SampleArgs& args) { return args.coordinate_count > args.axes; }

/// The texels that a place stands for, by their numbers in the level; -1 is the border. Three if it is beyond the corner
/// of a cube, where there is none: those around the corner.
struct Numbers {
  std::array<std::int64_t, 3> of{};
  std::size_t count = 1;
};

/// Places beyond an edge of a cube's face are on the neighbouring face.
inline Numbers cube_numbers(const Look& look, const Place& at) {
  const std::int64_t n = extent_of(look, 0);
  Place inside = at;
  for (std::size_t k = 0; k < 2; ++k) inside[k] = std::clamp<std::int64_t>(at[k], 0, n - 1);
  const auto number = [&](Place place) {
    cube::fold(place, n);
    return place[0] + n * (place[1] + n * place[2]);
  };
  if (inside[0] == at[0] || inside[1] == at[1]) return {{number(at)}, 1};
  return {{number(inside), number({at[0], inside[1], at[2]}), number({inside[0], at[1], at[2]})},
          3};
}

/// Of integer coordinates, which are wrapped, except the layer.
inline Numbers numbers_at(const Look& look, const Place& at) {
  if (is_cube(look.args)) return cube_numbers(look, at);
  const AddressMode modes[] = {look.sampler.address_mode_u, look.sampler.address_mode_v,
                               look.sampler.address_mode_w};
  std::int64_t number = 0, before = 1;
  for (std::size_t k = 0; k < look.args.axes + (look.args.arrayed ? 1 : 0); ++k) {
    const std::int64_t size = extent_of(look, k);
    const std::int64_t here = k < look.args.axes ? wrap(at[k], size, modes[k]) : at[k];
    if (here < 0) return {{-1}, 1};
    number += here * before;
    before *= size;
  }
  return {{number}, 1};
}

/// The texel at integer coordinates. Beyond the corner of a cube it is the mean of the three around it, as Vulkan
/// recommends.
inline TexelBits texel_at(const Look& look, const Place& at, float reference) {
  const Numbers numbers = numbers_at(look, at);
  const TexelBits first = numbered_texel(look, numbers.of[0], reference);
  if (numbers.count == 1 || info_of(look.image.format).number() != TexelNumber::float32)
    return first;
  std::array<double, 4> sums{};
  for (const std::int64_t number : numbers.of) {
    const TexelBits texel = numbered_texel(look, number, reference);
    for (std::size_t k = 0; k < 4; ++k) sums[k] += static_cast<double>(float_of(texel[k]));
  }
  TexelBits mean;
  for (std::size_t k = 0; k < 4; ++k) mean[k] = bits_of(static_cast<float>(sums[k] / 3));
  return mean;
}

/// A coordinate times the image's extent, clamped so that it fits an integer; zero for NaN.
inline double scaled(const Context& c, const Slot& slot, double scale, int lane) {
  constexpr double far = 1e15;
  const double value = static_cast<double>(float_of(lane_bits(c, slot, lane))) * scale;
  return std::isnan(value) ? 0 : std::clamp(value, -far, far);
}

/// The lane's layer, rounded and limited to those that there are.
inline std::int64_t layer_of(const Context& c, const Look& look, std::int64_t layers, int lane) {
  const Slot& slot = look.args.coordinates[look.args.coordinate_count];
  const double layer = std::nearbyint(scaled(c, slot, 1, lane));
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(layer), 0, layers - 1);
}

/// Whether the gradients are those of a quad's coordinates. These come with a bias as the operand for a level.
inline bool is_of_quad(const SampleArgs& args) { return args.gradients > 0 && args.has_lod; }

/// What is added to a level: the sampler's bias and the instruction's, up to maxSamplerLodBias.
inline double whole_bias(const Sampler& sampler, double bias, double most = 16) {
  return std::clamp(static_cast<double>(sampler.lod_bias) + bias, -most, most);
}

/// The level of detail that a sampler makes of a biased one.
inline double limited_level(const Sampler& sampler, double level) {
  // In Vulkan's order, although its results differ only for a minimum above the maximum, which is not allowed.
  return std::max(std::min(level, static_cast<double>(sampler.max_lod)),
                  static_cast<double>(sampler.min_lod));
}

inline void move_by(const Context& c, const SampleArgs& args, std::size_t first, Place& at,
                    int lane) {
  for (std::size_t k = 0; k < args.axes && first + k < args.offset_count; ++k)
    at[k] += static_cast<std::int32_t>(lane_bits(c, args.offset[first + k], lane));
}

/// Whether the image has any texel; a view of bytes may be too short for one.
inline bool has_texels(const Memory& image) {
  return image.data != nullptr && image.extent.x > 0 && image.extent.y > 0 && image.extent.z > 0;
}

/// The resource that a lane accesses.
inline std::uint64_t chosen(const Context& c, std::uint32_t first, std::uint64_t choices,
                            const Slot& element, int lane) {
  if (choices == 0) return first;
  const std::uint32_t number = lane_bits(c, element, lane);
  return number < choices ? first + std::uint64_t{number} : ~std::uint64_t{0};
}

}  // namespace lockstep::spirv::sampling
