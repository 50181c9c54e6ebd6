#include "shader/run/ops/sample_chunk.hpp"

#include <cstring>

#include <lockstep/glsl/functions/common.hpp>

#include "shader/run/ops/sample_look.hpp"
#include "shader/run/ops/texel_chunk.hpp"

/// \file
/// Images of one level through samplers. Each lane's arithmetic is that of sample.cpp, in its order: in double, in which
/// numbers of texels are exact. Loops over lanes have no branches, so that compilers make them SIMD.

namespace lockstep::spirv::sampling {
namespace {

using texels::Components;
using texels::Texels;
using texels::U32;
using texels::Uints;
using Lanes16 = Mask<chunk_lanes>;

using Doubles = Chunk<double>;

/// A number of each lane.
struct Numbers16 {
  alignas(64) double of[chunk_lanes];
  Doubles lanes() const { return Doubles::load(of); }
};

Numbers16 numbers(const Doubles& lanes) {
  Numbers16 result;
  lanes.store(result.of);
  return result;
}

Doubles from_floats(const Uints& bits) {
  alignas(64) float values[chunk_lanes];
  bits.store(reinterpret_cast<U32*>(values));
  Numbers16 result;
  for (int lane = 0; lane < chunk_lanes; ++lane) result.of[lane] = values[lane];
  return result.lanes();
}

/// Wraps coordinates beyond the edge; -1 is the border.
Doubles wrapped(const Doubles& at, double size, AddressMode mode) {
  const Doubles none(0.0), last(size - 1);
  const auto modulo = [](const Doubles& a, double n) {
    return a - floor(a / Doubles(n)) * Doubles(n);
  };
  const auto mirror = [&](const Doubles& a) { return select(a < none, -(Doubles(1.0) + a), a); };
  switch (mode) {
    case AddressMode::repeat:
      return modulo(at, size);
    case AddressMode::mirrored_repeat:
      return last - mirror(modulo(at, 2 * size) - Doubles(size));
    case AddressMode::clamp_to_edge:
      return select(at < none, none, select(last < at, last, at));
    case AddressMode::clamp_to_border:
      return select((at < none) | (last < at), Doubles(-1.0), at);
    case AddressMode::mirror_clamp_to_edge:
      return select(last < mirror(at), last, mirror(at));
  }
  return at;
}

/// Along one axis: the texels below and above the coordinates, and how much of each belongs to the footprints.
struct Axis {
  Numbers16 at[2], part[2];
};

U32 size_of_axis(const Memory& image, std::size_t axis) {
  return axis == 0 ? image.extent.x : image.extent.y;
}

Uints operand(const Context& c, const Slot& slot, unsigned chunk) {
  return get<U32>(c.regs + slot.at + (slot.varying ? chunk * chunk_bytes<U32> : 0));
}

/// Coordinates in texels, so that they fit an integer; zero for NaN.
Doubles scaled(const Uints& coordinates, double scale) {
  const Doubles far(1e15), at = from_floats(coordinates) * Doubles(scale);
  const Doubles least = select(at < -far, -far, select(at == at, at, Doubles(0.0)));
  return select(far < least, far, least);
}

Doubles offset_of(const Context& c, const SampleArgs& args, std::size_t k, unsigned chunk) {
  if (k >= args.offset_count) return Doubles(0.0);
  alignas(64) std::int32_t offset[chunk_lanes];
  texels::Ints(operand(c, args.offset[k], chunk)).store(offset);
  Numbers16 result;
  for (int lane = 0; lane < chunk_lanes; ++lane) result.of[lane] = offset[lane];
  return result.lanes();
}

void place(Axis& axis, const Context& c, const SampleArgs& args, const Sampler& sampler, U32 extent,
           std::size_t k, unsigned chunk) {
  const bool linear = sampler.mag_filter == Filter::linear;
  const AddressMode mode = k == 0 ? sampler.address_mode_u : sampler.address_mode_v;
  const double size = extent;
  const Doubles u =
      scaled(operand(c, args.coordinates[k], chunk), sampler.unnormalized_coordinates ? 1 : size) -
      Doubles(linear ? 0.5 : 0.0);
  const Doubles whole = floor(u), at = whole + offset_of(c, args, k, chunk);
  axis.at[0] = numbers(wrapped(at, size, mode));
  if (!linear) return;
  axis.at[1] = numbers(wrapped(at + Doubles(1.0), size, mode));
  axis.part[0] = numbers(Doubles(1.0) - (u - whole));
  axis.part[1] = numbers(u - whole);
}

/// What is the same for all lanes.
struct Source {
  const Memory& image;
  const Sampler& sampler;
  const SampleArgs& args;
  Texels texels;
  bool has_border;

  Source(const Memory& of, const Sampler& by, const SampleArgs& a)
      : image(of),
        sampler(by),
        args(a),
        texels(of),
        has_border(by.address_mode_u == AddressMode::clamp_to_border ||
                   (a.axes > 1 && by.address_mode_v == AddressMode::clamp_to_border)) {}

  /// How many of a texel's components differ between lanes.
  std::size_t components() const {
    return std::min(args.results, has_border ? std::size_t{4} : texels.info.components);
  }
};

Lanes16 below_zero(const Numbers16& at) { return (at.lanes() < Doubles(0.0)).mask(); }

/// The texels of a corner, component by component.
void read(const Source& from, const Numbers16& x, const Numbers16& y, Lanes16 lanes,
          Components& texel) {
  const Numbers16 number =
      numbers(y.lanes() * Doubles(static_cast<double>(from.image.extent.x)) + x.lanes());
  alignas(64) std::int32_t at[chunk_lanes];
  for (int lane = 0; lane < chunk_lanes; ++lane)
    at[lane] = static_cast<std::int32_t>(number.of[lane]);
  const auto outside = from.has_border ? below_zero(x) | below_zero(y) : Lanes16::none();
  Components words;
  texels::fetch(from.texels, Uints(texels::Ints::load(at)), lanes.without(outside), words);
  const TexelBits colour =
      from.has_border ? border_of(Look(from.image, from.sampler, from.args)) : TexelBits{};
  for (U32 k = 0; k < static_cast<U32>(from.components()); ++k) {
    const Uints inside = k < from.texels.info.components
                             ? texels::decoded(from.texels.info, words, k)
                             : Uints(texels::missing(from.texels.info, k));
    select(outside, Uints(static_cast<U32>(colour[k])), inside).store(texel.of[k]);
  }
}

void put_floats(const Doubles& numbers16, U32* result) {
  const Numbers16 number = numbers(numbers16);
  alignas(64) float values[chunk_lanes];
  for (int lane = 0; lane < chunk_lanes; ++lane) values[lane] = static_cast<float>(number.of[lane]);
  std::memcpy(result, values, sizeof values);
}

/// Mixes the corners of the footprints; a line has two.
template <std::size_t axes>
void filter(const Source& from, const Axis (&axis)[2], Lanes16 lanes, Components& result) {
  constexpr std::size_t corners = std::size_t{1} << axes;
  Components texel[corners];
  Numbers16 weight[corners];
  for (std::size_t corner = 0; corner < corners; ++corner) {
    const std::size_t right = corner & 1, up = corner >> 1;
    read(from, axis[0].at[right], axis[1].at[up], lanes, texel[corner]);
    weight[corner] = numbers(axis[0].part[right].lanes() * axis[1].part[up].lanes());
  }
  const Doubles none(0.0);
  for (std::size_t k = 0; k < from.components(); ++k) {
    const auto part = [&](std::size_t corner) {
      const Doubles of = weight[corner].lanes();
      // Zero times infinity would be NaN.
      return select(of != none, of * from_floats(Uints::load(texel[corner].of[k])), none);
    };
    const Doubles lower = none + part(0) + part(1);
    if constexpr (axes == 1)
      put_floats(lower, result.of[k]);
    else
      put_floats(lower + part(2) + part(3), result.of[k]);
  }
}

bool takes(const SampleArgs& args) {
  const bool same = (args.image_choices == 0 || !args.image_element.varying) &&
                    (args.sampler_choices == 0 || !args.sampler_element.varying);
  return same && args.axes <= 2 && !is_cube(args) && !args.arrayed && !args.compares &&
         !args.gathers && !args.queries_level &&
         (args.offset_count == 0 || args.offset_count == args.axes);
}

/// With one level and one filter the level of detail decides nothing.
bool takes(const Memory& image, const Sampler* sampler) {
  return has_texels(image) && image.levels == 1 && sampler != nullptr &&
         sampler->mag_filter == sampler->min_filter;
}

}  // namespace

bool sample_chunks(const SampleArgs& args, Context& c) {
  if (!takes(args)) return false;
  const std::uint64_t image = chosen(c, args.image, args.image_choices, args.image_element, 0);
  const std::uint64_t sampler =
      chosen(c, args.sampler, args.sampler_choices, args.sampler_element, 0);
  if (image >= c.memory_count || sampler >= c.memory_count ||
      !takes(c.memory[image], c.memory[sampler].sampler))
    return false;
  const Source from(c.memory[image], *c.memory[sampler].sampler, args);
  if (!from.texels.can_be_accessed()) return false;
  const bool linear = from.sampler.mag_filter == Filter::linear;
  Axis axis[2];
  // An image without a second axis has one row.
  if (args.axes == 1) axis[1] = {{{}, {}}, {numbers(Doubles(1.0)), {}}};
  for (unsigned k = 0; k < c.program->chunks; ++k) {
    const Lanes16 lanes = chunk_mask(c.state.active, static_cast<int>(k));
    if (!lanes.any_lane()) continue;
    for (std::size_t n = 0; n < args.axes; ++n)
      place(axis[n], c, args, from.sampler, size_of_axis(from.image, n), n, k);
    Components result;
    if (linear && args.axes == 1)
      filter<1>(from, axis, lanes, result);
    else if (linear)
      filter<2>(from, axis, lanes, result);
    else
      read(from, axis[0].at[0], axis[1].at[0], lanes, result);
    for (std::size_t n = 0; n < args.results; ++n)
      put<U32>(c.regs + args.result[n].at + k * chunk_bytes<U32>,
               n < from.components() ? Uints::load(result.of[n])
                                     : Uints(texels::missing(from.texels.info, n)));
  }
  return true;
}

}  // namespace lockstep::spirv::sampling
