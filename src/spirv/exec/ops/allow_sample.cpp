#include <optional>
#include <vector>

#include "oracle/memory.hpp"
#include "oracle/operations.hpp"
#include "spirv/exec/allow_args.hpp"
#include "spirv/exec/ops/sample_look.hpp"

/// \file
/// What a device may have: texels through samplers.
///
/// A device may find the place between texels, and between levels, with as few bits as Vulkan demands. Within a cell of
/// texels a linear filter's result is linear along each axis, so its bounds are among those at the ends of what the place
/// may be and at the cells' edges. Cubes, comparisons, gathers and gradients are not followed.

namespace lockstep::spirv {
namespace {

using namespace sampling;
using oracle::Allowed;
using oracle::Interval;
using oracle::Why;
using Kind = Allowed::Kind;

/// subTexelPrecisionBits and mipmapPrecisionBits are at least 4.
constexpr double least_step = 1.0 / 16;
/// How far a coordinate may be off besides, by its own computation.
constexpr double coordinate_error = 0x1p-17;

/// Where a device may see a place in an image of a size: around it, unless the bits that it has are enough and the product
/// with the size, a power of two, is exact.
Interval seen(double place, double size) {
  const double error = coordinate_error * std::max(size, std::abs(place));
  const double steps = place / least_step;
  int exponent = 0;
  const bool is_exact = steps == std::floor(steps) && std::frexp(size, &exponent) == 0.5;
  const double step = is_exact ? 0 : least_step;
  return {place - step - error, place + step + error};
}

/// The ends of an interval and the whole numbers between them.
std::vector<double> corners_of(const Interval& place) {
  std::vector<double> all{place.low, place.high};
  for (double whole = std::ceil(place.low); whole <= place.high; ++whole) all.push_back(whole);
  return all;
}

/// One number for each component.
struct Colours {
  std::array<Interval, 4> of;
  double largest = 0;  ///< of all texels that are read

  static Colours none() {
    Colours all;
    all.of.fill({HUGE_VAL, -HUGE_VAL});
    return all;
  }
  void add(const Colours& other) {
    for (std::size_t k = 0; k < 4; ++k) of[k] = oracle::hull(of[k], other.of[k]);
    largest = std::max(largest, other.largest);
  }
};

/// Calls f with each choice of one of the places of every axis.
template <class F>
void for_each_corner(const std::array<std::vector<double>, 3>& places, std::size_t axes, F f) {
  std::array<std::size_t, 3> at{};
  for (;;) {
    f(std::array{places[0][at[0]], axes > 1 ? places[1][at[1]] : 0,
                 axes > 2 ? places[2][at[2]] : 0});
    std::size_t k = 0;
    while (k < axes && ++at[k] == places[k].size()) at[k++] = 0;
    if (k == axes) return;
  }
}

/// One lane's texture function.
class Sampled {
 public:
  Sampled(const Context& c, const Look& look, int lane) : c_(c), look_(look), lane_(lane) {}

  Colours all() const {
    const double wanted =
        limited_level(look_.sampler, look_.args.has_lod ? scaled(c_, look_.args.lod, 1, lane_) : 0);
    const double last = look_.sampler.unnormalized_coordinates ? 0 : look_.image.levels - 1;
    Interval level{0, 0};
    if (last > 0) {
      level = seen(wanted, 1);
      level = {std::clamp(level.low, 0.0, last), std::clamp(level.high, 0.0, last)};
    }
    Colours result = Colours::none();
    for (const Filter filter : filters(wanted)) result.add(between(level, filter));
    return result;
  }

 private:
  /// Magnified or minified: either where the level may be seen on either side of 0.
  std::vector<Filter> filters(double wanted) const {
    const Sampler& s = look_.sampler;
    const Interval level = seen(wanted, 1);
    if (s.mag_filter == s.min_filter || level.high <= 0 || wanted == 0) return {s.mag_filter};
    if (level.low > 0) return {s.min_filter};
    return {s.mag_filter, s.min_filter};
  }

  Colours between(const Interval& level, Filter filter) const {
    Colours result = Colours::none();
    if (look_.sampler.mipmap_mode == Filter::nearest) {
      for (double k = std::ceil(level.low + 0.5) - 1; k <= std::floor(level.high + 0.5); ++k)
        result.add(in_level(std::min(k, static_cast<double>(look_.image.levels - 1)), filter));
      return result;
    }
    for (const double at : corners_of(level)) {
      const double high = std::floor(at), part = at - high;
      Colours mixed = in_level(high, filter);
      if (part > 0) {
        const Colours low = in_level(high + 1, filter);
        for (std::size_t k = 0; k < 4; ++k)
          mixed.of[k] = mixed.of[k] * Interval::point(1 - part) + low.of[k] * Interval::point(part);
        mixed.largest = std::max(mixed.largest, low.largest);
      }
      result.add(mixed);
    }
    return result;
  }

  Colours in_level(double level, Filter filter) const {
    const Look look = look_.at_level(static_cast<std::uint32_t>(level));
    const std::size_t axes = look.args.axes;
    std::array<std::vector<double>, 3> places;
    for (std::size_t k = 0; k < axes; ++k) {
      const auto size = static_cast<double>(extent_of(look, k));
      const double scale = look.sampler.unnormalized_coordinates ? 1 : size;
      const double at = scaled(c_, look.args.coordinates[k], scale, lane_);
      places[k] = corners_of(seen(filter == Filter::linear ? at - 0.5 : at, size));
    }
    Colours result = Colours::none();
    for_each_corner(places, axes, [&](const std::array<double, 3>& place) {
      Place at{};
      std::array<double, 3> beyond{};
      for (std::size_t k = 0; k < axes; ++k) {
        at[k] = static_cast<std::int64_t>(std::floor(place[k]));
        beyond[k] = filter == Filter::linear ? place[k] - std::floor(place[k]) : 0;
      }
      if (look.args.arrayed) at[axes] = layer_of(c_, look, extent_of(look, axes), lane_);
      move_by(c_, look.args, 0, at, lane_);
      result.add(at_corner(look, at, beyond));
    });
    return result;
  }

  static Colours at_corner(const Look& look, const Place& first,
                           const std::array<double, 3>& beyond) {
    Colours sum;
    for (std::size_t corner = 0; corner < std::size_t{1} << look.args.axes; ++corner) {
      Place at = first;
      double weight = 1;
      for (std::size_t k = 0; k < look.args.axes; ++k) {
        const bool upper = (corner >> k & 1) != 0;
        at[k] += upper ? 1 : 0;
        weight *= upper ? beyond[k] : 1 - beyond[k];
      }
      if (weight == 0) continue;
      const TexelBits texel = texel_at(look, at, 0);
      for (std::size_t k = 0; k < 4; ++k) {
        const auto value = static_cast<double>(float_of(texel[k]));
        sum.of[k] = sum.of[k] + Interval::point(weight) * Interval::point(value);
        sum.largest = std::max(sum.largest, std::abs(value));
      }
    }
    return sum;
  }

  const Context& c_;
  const Look& look_;
  int lane_;
};

/// How far the sum of weighted texels may be off. Vulkan's rule for arithmetic outside of shaders is 1 in 100,000; for
/// normalized numbers of few bits and halves its conformance tests take this much.
double error_of(const Look& look, double largest) {
  const ImageFormatInfo& info = info_of(look.image.format);
  const bool linear = look.sampler.mag_filter == Filter::linear ||
                      look.sampler.min_filter == Filter::linear ||
                      (look.image.levels > 1 && look.sampler.mipmap_mode == Filter::linear);
  if (!linear) return 0;
  const bool norm = info.coding == TexelCoding::unorm || info.coding == TexelCoding::snorm;
  if (norm) return info.bits[0] <= 8 ? 1.0 / 63 : 1.0 / 255;
  return largest * (info.bits[0] < 32 ? 0x1p-8 : 1e-5);
}

Allowed bounded(const Interval& values, const Look& look, double largest, std::uint32_t origin) {
  const bool norm = info_of(look.image.format).coding == TexelCoding::unorm ||
                    info_of(look.image.format).coding == TexelCoding::snorm;
  const double error = error_of(look, largest);
  if (!values.is_finite() || std::isnan(values.low) || std::isnan(values.high))
    return oracle::any(Kind::undefined, Why::special, origin);
  if (error == 0 && values.is_point() && (!norm || values.low == 0 || values.low == 1))
    return oracle::numbers(values, origin);
  const Interval wide{values.low - error, values.high + error};
  return oracle::numbers(oracle::within_ulps(wide, norm ? 3.5 : 1, {}), origin);
}

/// The image and the sampler that a lane uses, if its result has bounds.
std::optional<Look> look_of(const Context& c, const SampleArgs& args, int lane) {
  const std::uint64_t image = chosen(c, args.image, args.image_choices, args.image_element, lane);
  const std::uint64_t sampler =
      chosen(c, args.sampler, args.sampler_choices, args.sampler_element, lane);
  if (image >= c.memory_count || sampler >= c.memory_count) return {};
  const Memory& texels = c.memory[image];
  if (!has_texels(texels) || c.memory[sampler].sampler == nullptr) return {};
  if (args.gathers || args.compares || args.gradients > 0 || is_cube(args)) return {};
  if (info_of(texels.format).number() != TexelNumber::float32) return {};
  if (!c.allowed->is_exact(texels.data, texels.size)) return {};
  return Look(texels, *c.memory[sampler].sampler, args);
}

/// Operands: those of the operation, its results, and allowed for each of its operands.
const Inst* sample_texels(const Inst* i, Context& c) {
  const auto& args = *static_cast<const AllowArgs*>(i->args);
  const std::size_t operands = args.allow.of->src.size(), results = args.results.size();
  const std::uint32_t origin = args.allow.origin;
  for_each_lane(c.state.active, [&](int lane) {
    Allowed weakest;
    for (std::size_t k = 0; k < operands; ++k)
      weakest = oracle::weaker(weakest, get_allowed(c, args.slots[operands + results + k], lane));
    const std::optional<Look> look =
        weakest.kind == Kind::exact ? look_of(c, *args.sample, lane) : std::nullopt;
    if (!look) {
      const bool says_nothing = weakest.kind == Kind::undefined || weakest.kind == Kind::unordered;
      const Allowed free = says_nothing ? weakest : oracle::any(Kind::open, Why::sampling, origin);
      for (const Slot& result : args.results) put_allowed(c, result, lane, free);
      return;
    }
    const Colours colours = Sampled(c, *look, lane).all();
    for (std::size_t k = 0; k < results; ++k)
      put_allowed(c, args.results[k], lane, bounded(colours.of[k], *look, colours.largest, origin));
  });
  return i + 1;
}

}  // namespace

Run find_allow_sample() { return sample_texels; }

}  // namespace lockstep::spirv
