#include <cmath>
#include <limits>
#include <span>

#include "shader/run/ops/find.hpp"
#include "shader/run/ops/sample_chunk.hpp"
#include "shader/run/ops/sample_look.hpp"

/// \file
/// Images through samplers: which texels a coordinate addresses, and how they are combined. Follows
/// Vulkan's chapter on image operations, computed in double.

namespace lockstep::spirv {
namespace {

using namespace sampling;

/// A lane's footprint: the texel for nearest; for linear the lower corner, and the distance from it
/// along each axis.
struct Footprint {
  Place at{};
  std::array<double, 3> beyond{};
};

/// A lane's coordinate as a place between texels along that axis; `filter` says how far texels reach.
void place_between(Footprint& foot, std::size_t axis, double u, Filter filter) {
  if (filter == Filter::linear) u -= 0.5;
  foot.at[axis] = static_cast<std::int64_t>(std::floor(u));
  foot.beyond[axis] = u - std::floor(u);
}

// ---- Cubes ----

std::array<double, 3> direction_of(const Context& c, std::span<const Slot> slots, int lane) {
  return {scaled(c, slots[0], 1, lane), scaled(c, slots[1], 1, lane), scaled(c, slots[2], 1, lane)};
}

Footprint cube_footprint(const Context& c, const Look& look, Filter filter, int lane) {
  Footprint foot;
  const cube::Place on = cube::place_of(direction_of(c, look.args.coordinates, lane));
  const std::int64_t n = extent_of(look, 0);
  place_between(foot, 0, (on.s + 1) / 2 * static_cast<double>(n), filter);
  place_between(foot, 1, (on.t + 1) / 2 * static_cast<double>(n), filter);
  if (filter == Filter::nearest) {
    for (std::size_t k = 0; k < 2; ++k) foot.at[k] = std::clamp<std::int64_t>(foot.at[k], 0, n - 1);
  }
  const std::int64_t cubes = extent_of(look, 2) / 6;
  const std::int64_t cube = look.args.arrayed ? layer_of(c, look, cubes, lane) : 0;
  foot.at[2] = 6 * cube + static_cast<std::int64_t>(on.face);
  return foot;
}

/// How far a step of a lane's direction moves over the cube, in texels along each axis.
std::array<double, 3> change_on_cube(const Context& c, const Look& look, std::span<const Slot> step,
                                     int lane) {
  const auto [s, t] =
      cube::moved(direction_of(c, look.args.coordinates, lane), direction_of(c, step, lane));
  const double half = static_cast<double>(extent_of(look, 0)) / 2;
  return {s * half, t * half, 0};
}

Footprint footprint_of(const Context& c, const Look& look, Filter filter, int lane) {
  if (is_cube(look.args)) return cube_footprint(c, look, filter, lane);
  Footprint foot;
  const std::size_t axes = look.args.axes;
  for (std::size_t k = 0; k < axes; ++k) {
    const auto size = static_cast<double>(extent_of(look, k));
    const double scale = look.sampler.unnormalized_coordinates ? 1 : size;
    place_between(foot, k, scaled(c, look.args.coordinates[k], scale, lane), filter);
  }
  if (look.args.arrayed) foot.at[axes] = layer_of(c, look, extent_of(look, axes), lane);
  return foot;
}

// ---- Levels ----

/// How far a gradient moves, in texels along each axis.
std::array<double, 3> change_of(const Context& c, const Look& look, std::size_t gradient,
                                int lane) {
  const SampleArgs& args = look.args;
  const auto step =
      std::span(args.gradient).subspan(gradient * args.coordinate_count, args.coordinate_count);
  if (is_cube(args)) return change_on_cube(c, look, step, lane);
  std::array<double, 3> change{};
  for (std::size_t k = 0; k < args.axes; ++k)
    change[k] = scaled(c, step[k], static_cast<double>(extent_of(look, k)), lane);
  return change;
}

/// The level of detail with its bias, before the sampler limits it.
double unlimited_level(const Context& c, const Look& look, int lane) {
  double level = 0;
  const SampleArgs& args = look.args;
  if (args.gradients > 0) {
    double largest = 0;
    for (std::size_t d = 0; d < 2; ++d) {
      const std::array<double, 3> by = change_of(c, look, d, lane);
      largest = std::max(largest, by[0] * by[0] + by[1] * by[1] + by[2] * by[2]);
    }
    level = largest > 0 ? std::log2(largest) / 2 : -std::numeric_limits<double>::infinity();
  } else if (args.has_lod) {
    level = scaled(c, args.lod, 1, lane);
  }
  return level + whole_bias(look.sampler, is_of_quad(args) ? scaled(c, args.lod, 1, lane) : 0);
}

/// The level of detail. It selects the filter and the levels.
double level_of(const Context& c, const Look& look, int lane) {
  return limited_level(look.sampler, unlimited_level(c, look, lane));
}

/// The level of a lane that the image has; between two where the sampler mixes them.
double accessed_level(const Look& look, double wanted) {
  const double last = look.sampler.unnormalized_coordinates ? 0 : look.image.levels - 1;
  const double level = wanted > 0 ? std::min(wanted, last) : 0;
  // Halfway between two levels it is the larger one.
  return look.sampler.mipmap_mode == Filter::nearest ? std::ceil(level + 0.5) - 1 : level;
}

/// What OpImageQueryLod gives: the accessed level, and the level of detail, biased and not limited.
TexelBits queried_level(const Context& c, const Look& look, int lane) {
  TexelBits result{};
  result[0] = bits_of(static_cast<float>(accessed_level(look, level_of(c, look, lane))));
  result[1] = bits_of(static_cast<float>(unlimited_level(c, look, lane)));
  return result;
}

TexelBits filtered(const Look& look, const Footprint& foot, Filter filter, float reference) {
  if (filter == Filter::nearest) return texel_at(look, foot.at, reference);
  double sums[4] = {};
  for (std::size_t corner = 0; corner < std::size_t{1} << look.args.axes; ++corner) {
    Place at = foot.at;
    double weight = 1;
    for (std::size_t k = 0; k < look.args.axes; ++k) {
      const bool upper = (corner >> k & 1) != 0;
      at[k] += upper ? 1 : 0;
      weight *= upper ? foot.beyond[k] : 1 - foot.beyond[k];
    }
    if (weight == 0) continue;  // zero times infinity would be NaN
    const TexelBits texel = texel_at(look, at, reference);
    for (std::size_t k = 0; k < 4; ++k) sums[k] += weight * static_cast<double>(float_of(texel[k]));
  }
  TexelBits result;
  for (std::size_t k = 0; k < 4; ++k) result[k] = bits_of(static_cast<float>(sums[k]));
  return result;
}

/// One component of the four texels that a linear filter reads, counter-clockwise from the lower left.
TexelBits gathered(const Context& c, const Look& look, float reference, int lane) {
  const Footprint foot = footprint_of(c, look, Filter::linear, lane);
  constexpr std::size_t right[] = {0, 1, 1, 0}, up[] = {1, 1, 0, 0};
  const bool each_its_own = look.args.offset_count > look.args.axes;
  TexelBits result;
  for (std::size_t k = 0; k < 4; ++k) {
    Place at = foot.at;
    if (each_its_own) {
      move_by(c, look.args, k * look.args.axes, at, lane);
    } else {
      move_by(c, look.args, 0, at, lane);
      at[0] += static_cast<std::int64_t>(right[k]);
      at[1] += static_cast<std::int64_t>(up[k]);
    }
    result[k] = texel_at(look, at, reference)[look.args.component];
  }
  return result;
}

/// The texel of a lane in one level.
TexelBits sampled_in(const Context& c, const Look& look, Filter filter, float reference, int lane) {
  Footprint foot = footprint_of(c, look, filter, lane);
  move_by(c, look.args, 0, foot.at, lane);
  return filtered(look, foot, filter, reference);
}

/// The texel of a lane at its level of detail, between two levels if the sampler mixes them.
TexelBits sampled(const Context& c, const Look& look, float reference, int lane) {
  const double wanted = level_of(c, look, lane);
  const Filter filter = wanted <= 0 ? look.sampler.mag_filter : look.sampler.min_filter;
  const double level = accessed_level(look, wanted);
  const auto high = static_cast<std::uint32_t>(std::floor(level));
  const double part = level - std::floor(level);
  TexelBits texel = sampled_in(c, look.at_level(high), filter, reference, lane);
  if (part == 0) return texel;
  const TexelBits low = sampled_in(c, look.at_level(high + 1), filter, reference, lane);
  for (std::size_t k = 0; k < 4; ++k) {
    const double mixed = (1 - part) * static_cast<double>(float_of(texel[k])) +
                         part * static_cast<double>(float_of(low[k]));
    texel[k] = bits_of(static_cast<float>(mixed));
  }
  return texel;
}

const Inst* sample(const Inst* i, Context& c) {
  const auto& args = *static_cast<const SampleArgs*>(i->args);
  if (sample_chunks(args, c)) return i + 1;
  for_each_lane(c.state.active, [&](int lane) {
    const std::uint64_t image = chosen(c, args.image, args.image_choices, args.image_element, lane);
    const std::uint64_t sampler =
        chosen(c, args.sampler, args.sampler_choices, args.sampler_element, lane);
    TexelBits texel{};
    const bool has_image = image < c.memory_count && has_texels(c.memory[image]);
    if (has_image && sampler < c.memory_count && c.memory[sampler].sampler != nullptr) {
      const Look look(c.memory[image], *c.memory[sampler].sampler, args);
      const float reference = args.compares ? float_of(lane_bits(c, args.reference, lane)) : 0.0f;
      texel = args.queries_level ? queried_level(c, look, lane)
              : args.gathers     ? gathered(c, look, reference, lane)
                                 : sampled(c, look, reference, lane);
    } else {
      const std::uint64_t missing = has_image ? sampler : image;
      note_fault(c, i, AccessKind::read,
                 missing < c.memory_count ? static_cast<std::uint32_t>(missing) : no_resource, 0,
                 lane);
    }
    for (std::size_t k = 0; k < args.results; ++k) {
      const auto bits = static_cast<std::uint32_t>(texel[k]);
      std::memcpy(c.regs + args.result[k].at + static_cast<std::size_t>(lane) * 4, &bits, 4);
    }
  });
  return i + 1;
}

}  // namespace

Run find_sample() { return sample; }

}  // namespace lockstep::spirv
