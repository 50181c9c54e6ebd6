#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "oracle/memory.hpp"
#include "oracle/operations.hpp"
#include "shader/instruments/bounds/ops/sample_bounds.hpp"
#include "shader/run/bound_args.hpp"

/// \file
/// What a device may have: texels through samplers.
///
/// A device may find the place between texels, and between levels, with as few bits as Vulkan demands. Within a cell of texels a linear filter's result is linear along each axis, so its bounds are among those at the ends of what the
/// place may be and at the cells' edges. Where another texel, face, layer or level may be meant, the bounds have both.

namespace lockstep::spirv {
namespace {

using namespace sampling;
using oracle::Allowed;
using oracle::Interval;
using oracle::Why;
using Kind = Allowed::Kind;

/// Coordinates that may be anywhere within more texels than that are not followed.
constexpr double most_width = 8;
/// How close numbers of a direction are of which either may be the largest.
constexpr double same_length = 0x1p-17;

/// What the operands of one lane's texture function may be.
class Operands {
 public:
  Operands(const Context& c, const BoundArgs& args, int lane) : c_(c), args_(args), lane_(lane) {
    const SampleArgs& sample = *args.sample;
    reference_ = sample.coordinate_count + (sample.arrayed ? 1 : 0);
    lod_ = reference_ + (sample.compares ? 1 : 0);
    gradient_ = lod_ + (sample.has_lod ? 1 : 0);
    floats_ = gradient_ + sample.gradients;
  }

  /// The one that says least, if it is no number, or a float that is no number where one must be.
  Allowed weakest() const {
    Allowed weakest;
    for (std::size_t k = 0; k < args_.bound.of->src.size(); ++k) {
      const Allowed a = allowed(k);
      if (k >= gradient_ && k < floats_ && is_of_quad(*args_.sample))
        weakest = oracle::weaker(weakest, oracle::weaker(gradient_of(k, 1), gradient_of(k, 2)));
      if (a.kind == Kind::within && k >= floats_)
        weakest = oracle::weaker(weakest, oracle::any(Kind::open, Why::index, a.origin));
      else if (!a.is_number())
        weakest = oracle::weaker(weakest, a);
      else if (k < floats_ && !std::isfinite(float_of(lane_bits(c_, args_.slots[k], lane_))))
        weakest = oracle::any(Kind::undefined, Why::special, args_.bound.origin);
    }
    return weakest;
  }
  Interval coordinate(std::size_t k) const { return number(k); }
  Interval reference() const { return number(reference_); }
  Interval lod() const { return number(lod_); }
  /// Of the lane whose number differs in some bits.
  Interval gradient(std::size_t k, int bits) const { return number(gradient_ + k, lane_ ^ bits); }

 private:
  Allowed allowed(std::size_t k) const { return allowed(k, lane_); }
  Allowed allowed(std::size_t k, int lane) const {
    const std::size_t operands = args_.bound.of->src.size();
    return get_allowed(c_, args_.slots[operands + args_.results.size() + k], lane);
  }
  /// What is known of another lane's gradient, if that is no number.
  Allowed gradient_of(std::size_t k, int bits) const {
    const int other = lane_ ^ bits;
    if (other >= c_.size || !c_.state.active.test(other))
      return oracle::any(Kind::undefined, Why::lanes, args_.bound.origin);
    const Allowed there = allowed(k, other);
    if (there.is_number() && !std::isfinite(float_of(lane_bits(c_, args_.slots[k], other))))
      return oracle::any(Kind::undefined, Why::special, args_.bound.origin);
    return there.is_number() ? Allowed{} : there;
  }
  Interval number(std::size_t k) const { return number(k, lane_); }
  Interval number(std::size_t k, int lane) const {
    const Allowed a = allowed(k, lane);
    const double exact = scaled(c_, args_.slots[k], 1, lane);
    if (a.kind == Kind::exact) return Interval::point(exact);
    constexpr double far = 1e15;
    return {std::clamp(a.values.low, -far, far), std::clamp(a.values.high, -far, far)};
  }

  const Context& c_;
  const BoundArgs& args_;
  int lane_;
  std::size_t reference_ = 0, lod_ = 0, gradient_ = 0, floats_ = 0;
};

/// Calls f with each whole number that a coordinate of layers may be rounded to, ties in either direction.
template <class F>
void for_each_layer(const Interval& layer, std::int64_t layers, F f) {
  const auto last = static_cast<double>(layers - 1);
  const double low = std::clamp(std::ceil(layer.low - 0.5), 0.0, last);
  const double high = std::clamp(std::floor(layer.high + 0.5), 0.0, last);
  for (double k = low; k <= high; ++k) f(static_cast<std::int64_t>(k));
}

/// Where a direction may meet a cube: a face, and s and t on it from -1 to 1.
struct OnFace {
  std::size_t face = 0;
  Interval s, t;
};

std::vector<OnFace> faces_of(const std::array<Interval, 3>& direction) {
  std::vector<OnFace> faces;
  double longest = 0;
  for (const Interval& each : direction) {
    const Interval length = oracle::abs(each);
    longest = std::max(longest, length.low);
  }
  for (std::size_t major = 0; major < 3; ++major) {
    const Interval& along = direction[major];
    for (const bool negative : {false, true}) {
      const double far = negative ? -along.low : along.high;
      if (far < longest * (1 - same_length) || far < 0 || (far == 0 && longest > 0)) continue;
      // The part of the direction that has this sign and is long enough.
      const double near = std::max(negative ? -along.high : along.low, 0.0);
      OnFace on{cube::face_index(major, negative), {1, -1}, {1, -1}};
      const Interval length{std::max(near, longest * (1 - same_length)), far};
      const auto [s, t] = cube::across(on.face, direction);
      const auto projected = [&](const Interval& number) {
        if (length.low <= 0) return Interval{-1, 1};
        const Interval ratio = number / length;
        return Interval{std::clamp(ratio.low, -1.0, 1.0), std::clamp(ratio.high, -1.0, 1.0)};
      };
      on.s = projected(s);
      on.t = projected(t);
      faces.push_back(on);
    }
  }
  return faces;
}

/// One lane's texture function. Long, as each stage of it has bounds that the next one widens.
class Sampled {
 public:
  Sampled(const Context& c, const Look& look, const BoundArgs& args, int lane)
      : c_(c),
        look_(look),
        operands_(c, args, lane),
        origin_(args.bound.origin),
        lane_(lane),
        is_exact_(c.bounds->is_exact(look.image.data, look.image.size)) {}

  /// Nothing if it may be too far away to follow.
  std::optional<Colours> all() const {
    const std::optional<Interval> unlimited = unlimited_level();
    if (!unlimited) return {};
    const Interval wanted = limited(*unlimited), level = accessed_level(wanted);
    Colours result = Colours::none();
    for (const Filter filter : filters(wanted)) result.add(between(level, filter));
    if (too_wide_) return {};
    return result;
  }

  /// The level that would be accessed, and the one that the sampler does not limit; nothing where it may be too far away.
  std::optional<std::array<Interval, 2>> queried() const {
    const std::optional<Interval> unlimited = unlimited_level();
    if (!unlimited) return {};
    Interval level = accessed_level(limited(*unlimited));
    if (look_.sampler.mipmap_mode == Filter::nearest)
      level = {nearest_levels(level).low, std::min(nearest_levels(level).high, last_level())};
    return std::array{level, seen(*unlimited, 1)};
  }

  /// The four texels of a gather, each in the component that is asked for.
  std::optional<std::array<Colours, 4>> gathered() const {
    constexpr std::int64_t right[] = {0, 1, 1, 0}, up[] = {1, 1, 0, 0};
    const SampleArgs& args = look_.args;
    const bool each_its_own = args.offset_count > args.axes;
    std::array<Colours, 4> all;
    all.fill(Colours::none());
    for_each_place(look_, Filter::linear, [&](const Place& first, const std::array<double, 3>&) {
      for (std::size_t k = 0; k < 4; ++k) {
        Place at = first;
        move_by(c_, args, each_its_own ? k * args.axes : 0, at, lane_);
        at[0] += each_its_own ? 0 : right[k];
        at[1] += each_its_own ? 0 : up[k];
        all[k].add(texel(look_, at));
      }
    });
    if (too_wide_) return {};
    return all;
  }

 private:
  // ---- Levels ----

  double last_level() const {
    return look_.sampler.unnormalized_coordinates ? 0 : look_.image.levels - 1;
  }
  Interval accessed_level(const Interval& wanted) const {
    const double last = last_level();
    if (last == 0) return {0, 0};
    const Interval level = seen(wanted, 1);
    return {std::clamp(level.low, 0.0, last), std::clamp(level.high, 0.0, last)};
  }
  /// The whole ones, of which either is meant halfway between two.
  static Interval nearest_levels(const Interval& level) {
    return {std::ceil(level.low + 0.5) - 1, std::floor(level.high + 0.5)};
  }

  /// With its bias.
  std::optional<Interval> unlimited_level() const {
    Interval level{0, 0};
    if (look_.args.gradients > 0) {
      const auto scale = largest_step();
      if (!scale) return {};
      level = {std::log2(scale->low), std::log2(scale->high)};
    } else if (look_.args.has_lod) {
      level = operands_.lod();
    }
    return level + bias();
  }
  /// Devices may limit the sum of both, but not to less than Vulkan's least limit, or the sampler's.
  Interval bias() const {
    const Sampler& sampler = look_.sampler;
    const Interval of = is_of_quad(look_.args) ? operands_.lod() : Interval{0, 0};
    const double least = std::max(2.0, std::abs(static_cast<double>(sampler.lod_bias)));
    return oracle::hull({whole_bias(sampler, of.low), whole_bias(sampler, of.high)},
                        {whole_bias(sampler, of.low, least), whole_bias(sampler, of.high, least)});
  }
  Interval limited(const Interval& level) const {
    return {limited_level(look_.sampler, level.low), limited_level(look_.sampler, level.high)};
  }

  /// Those of a quad may be from either row and either column.
  std::optional<Interval> largest_step() const {
    if (!is_of_quad(look_.args)) return largest_step(0, 0);
    std::optional<Interval> all;
    for (const int row : {0, 2}) {
      for (const int column : {0, 1}) {
        const auto one = largest_step(row, column);
        if (!one) return {};
        all = all ? oracle::hull(*all, *one) : *one;
      }
    }
    return all;
  }

  /// How many texels the larger of two gradients moves: at least along its largest axis, at most the square root of two
  /// times along all, as Vulkan lets devices approximate. The gradients are those of lanes that differ in some bits.
  std::optional<Interval> largest_step(int first, int second) const {
    Interval largest{0, 0};
    for (std::size_t d = 0; d < 2; ++d) {
      const int bits = d == 0 ? first : second;
      std::array<Interval, 3> by{};
      if (is_cube(look_.args)) {
        const auto on_face = step_on_cube(d, bits);
        if (!on_face) return {};
        by = *on_face;
      } else {
        for (std::size_t k = 0; k < look_.args.axes; ++k)
          by[k] = oracle::abs(operands_.gradient(d * look_.args.coordinate_count + k, bits)) *
                  Interval::point(static_cast<double>(extent_of(look_, k)));
      }
      double least = 0, most = 0;
      for (const Interval& each : by) {
        least = std::max(least, each.low);
        most += each.high;
      }
      largest = {std::max(largest.low, least), std::max(largest.high, std::sqrt(2.0) * most)};
    }
    return Interval{largest.low * (1 - coordinate_error), largest.high * (1 + coordinate_error)};
  }

  /// Vulkan says how these can be computed, not that they must be: devices leave out that a step changes the direction's
  /// length, or count it with another sign.
  std::optional<std::array<Interval, 3>> step_on_cube(std::size_t d, int bits) const {
    const std::array<Interval, 3> at = direction();
    std::array<Interval, 3> step;
    for (std::size_t k = 0; k < 3; ++k) step[k] = operands_.gradient(3 * d + k, bits);
    const Interval half = Interval::point(static_cast<double>(extent_of(look_, 0)) / 2);
    std::optional<std::array<Interval, 3>> by;
    for (const OnFace& on : faces_of(at)) {
      const std::size_t major = on.face / 2;
      const Interval length = oracle::abs(at[major]);
      if (length.low <= 0) return {};
      const double most = step[major].magnitude();
      const Interval change{-most, most};
      const auto [s, t] = cube::across(on.face, step);
      const auto moved = [&](const Interval& by_step, const Interval& place) {
        return oracle::abs((by_step - place * change) / length) * half;
      };
      const std::array<Interval, 3> here{moved(s, on.s), moved(t, on.t), Interval::point(0)};
      if (!by) by = here;
      for (std::size_t k = 0; k < 2; ++k) (*by)[k] = oracle::hull((*by)[k], here[k]);
    }
    return by;
  }

  /// Magnified or minified: either where the level may be seen on either side of 0.
  std::vector<Filter> filters(const Interval& wanted) const {
    const Sampler& s = look_.sampler;
    const Interval level = seen(wanted, 1);
    if (s.mag_filter == s.min_filter || level.high <= 0 || wanted == Interval::point(0))
      return {s.mag_filter};
    if (level.low > 0) return {s.min_filter};
    return {s.mag_filter, s.min_filter};
  }

  Colours between(const Interval& level, Filter filter) const {
    Colours result = Colours::none();
    if (look_.sampler.mipmap_mode == Filter::nearest) {
      const Interval whole = nearest_levels(level);
      for (double k = whole.low; k <= whole.high; ++k)
        result.add(in_level(std::min(k, last_level()), filter));
      return result;
    }
    for (const double at : corners_of(level)) {
      const double high = std::floor(at), part = at - high;
      const Colours upper = in_level(high, filter);
      if (part == 0) {
        result.add(upper);
        continue;
      }
      Colours mixed;
      mixed.add_part(1 - part, upper);
      mixed.add_part(part, in_level(high + 1, filter));
      result.add(mixed);
    }
    return result;
  }

  // ---- Places ----

  std::array<Interval, 3> direction() const {
    return {operands_.coordinate(0), operands_.coordinate(1), operands_.coordinate(2)};
  }

  /// Calls f with the texel at the lower corner of each place that may be meant, without its offset, and how far beyond
  /// the texel it is.
  template <class F>
  void for_each_place(const Look& look, Filter filter, F f) const {
    if (is_cube(look.args)) return for_each_place_on_cube(look, filter, f);
    const std::size_t axes = look.args.axes;
    std::array<Interval, 3> places;
    for (std::size_t k = 0; k < axes; ++k) {
      const auto size = static_cast<double>(extent_of(look, k));
      const double scale = look.sampler.unnormalized_coordinates ? 1 : size;
      places[k] = operands_.coordinate(k) * Interval::point(scale);
    }
    std::int64_t layers = 1;
    if (look.args.arrayed) layers = extent_of(look, axes);
    const Interval layer =
        look.args.arrayed ? operands_.coordinate(look.args.coordinate_count) : Interval{0, 0};
    for_each_layer(layer, layers, [&](std::int64_t number) {
      for_each_place_in(look, places, axes, filter, [&](Place at, const auto& beyond) {
        if (look.args.arrayed) at[axes] = number;
        f(at, beyond);
      });
    });
  }

  template <class F>
  void for_each_place_on_cube(const Look& look, Filter filter, F f) const {
    const auto n = static_cast<double>(extent_of(look, 0));
    const auto on_edge = [&](double s) { return (s + 1) / 2 * n; };
    const Interval layer =
        look.args.arrayed ? operands_.coordinate(look.args.coordinate_count) : Interval{0, 0};
    for (const OnFace& on : faces_of(direction())) {
      const std::array<Interval, 3> places{Interval{on_edge(on.s.low), on_edge(on.s.high)},
                                           Interval{on_edge(on.t.low), on_edge(on.t.high)}};
      for_each_layer(layer, extent_of(look, 2) / 6, [&](std::int64_t cube) {
        for_each_place_in(look, places, 2, filter, [&](Place at, const auto& beyond) {
          // A texel is on its face, and a filter reaches over its edges by one.
          const std::int64_t least = filter == Filter::linear ? -1 : 0;
          for (std::size_t k = 0; k < 2; ++k)
            at[k] = std::clamp<std::int64_t>(at[k], least, extent_of(look, 0) - 1);
          at[2] = 6 * cube + static_cast<std::int64_t>(on.face);
          f(at, beyond);
        });
      });
    }
  }

  template <class F>
  void for_each_place_in(const Look& look, const std::array<Interval, 3>& places, std::size_t axes,
                         Filter filter, F f) const {
    std::array<std::vector<double>, 3> corners;
    for (std::size_t k = 0; k < axes; ++k) {
      if (places[k].high - places[k].low > most_width) too_wide_ = true;
      if (too_wide_) return;
      const double back = filter == Filter::linear ? 0.5 : 0;
      corners[k] = corners_of(seen({places[k].low - back, places[k].high - back},
                                   static_cast<double>(extent_of(look, k))));
    }
    for_each_corner(corners, axes, [&](const std::array<double, 3>& place) {
      Place at{};
      std::array<double, 3> beyond{};
      for (std::size_t k = 0; k < axes; ++k) {
        at[k] = static_cast<std::int64_t>(std::floor(place[k]));
        beyond[k] = filter == Filter::linear ? place[k] - std::floor(place[k]) : 0;
      }
      f(at, beyond);
    });
  }

  // ---- Texels ----

  Colours in_level(double level, Filter filter) const {
    const Look look = look_.at_level(static_cast<std::uint32_t>(level));
    Colours result = Colours::none();
    for_each_place(look, filter, [&](Place at, const std::array<double, 3>& beyond) {
      move_by(c_, look.args, 0, at, lane_);
      result.add(filter == Filter::linear ? at_corner(look, at, beyond) : texel(look, at));
    });
    return result;
  }

  Colours at_corner(const Look& look, const Place& first,
                    const std::array<double, 3>& beyond) const {
    Colours sum;
    for (std::size_t corner = 0; corner < std::size_t{1} << look.args.axes; ++corner) {
      Place at = first;
      double weight = 1;
      for (std::size_t k = 0; k < look.args.axes; ++k) {
        const bool upper = (corner >> k & 1) != 0;
        at[k] += upper ? 1 : 0;
        weight *= upper ? beyond[k] : 1 - beyond[k];
      }
      if (weight != 0) sum.add_part(weight, texel(look, at));
    }
    return sum;
  }

  /// Beyond a cube's corner there is no texel, and devices may take any mean of the three around it.
  Colours texel(const Look& look, const Place& at) const {
    const Numbers numbers = numbers_at(look, at);
    Colours result = Colours::none();
    for (std::size_t k = 0; k < numbers.count; ++k) result.add(texel(look, numbers.of[k]));
    return result;
  }

  Colours texel(const Look& look, std::int64_t number) const {
    const std::uint64_t bytes = texel_bytes(look.image.format);
    std::byte* const at =
        number < 0 ? nullptr
                   : look.image.data + (look.before + static_cast<std::uint64_t>(number)) * bytes;
    Colours colours;
    colours.bits = number < 0 ? border_of(look) : decode_texel(look.image.format, at);
    if (info_of(look.image.format).number() != TexelNumber::float32) return colours;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto value = static_cast<double>(float_of(colours.bits[k]));
      colours.of[k] = Interval::point(value);
      if (!is_exact_ && number >= 0) {
        const Allowed there = allowed_component(c_, look.image, at, k, value, origin_);
        if (there.kind == Kind::within) colours.of[k] = there.values;
        if (!there.is_number()) colours.reason = oracle::weaker(colours.reason, there);
      }
      colours.largest = std::max(colours.largest, colours.of[k].magnitude());
    }
    if (look.args.compares) compare(look, colours);
    return colours;
  }

  /// Of 16 bits, the reference may be rounded like the texel, or not.
  void compare(const Look& look, Colours& colours) const {
    const bool fixed = info_of(look.image.format).coding == TexelCoding::unorm;
    Interval wanted = with_zero(operands_.reference()), there = with_zero(colours.of[0]);
    if (fixed) {
      const double unit = std::ldexp(1.0, -static_cast<int>(info_of(look.image.format).bits[0]));
      wanted = {std::clamp(wanted.low, 0.0, 1.0) - 1.01 * unit,
                std::clamp(wanted.high, 0.0, 1.0) + 1.01 * unit};
    }
    colours.of.fill(Interval::point(0));
    colours.of[0] = compared(look.sampler.compare_op, wanted, there);
    colours.largest = 1;
  }

  /// A denormal may be zero.
  static Interval with_zero(const Interval& a) {
    const bool may_flush = a.magnitude() < 0x1p-126;
    return may_flush ? oracle::hull(a, Interval::point(0)) : a;
  }

  const Context& c_;
  const Look& look_;
  Operands operands_;
  std::uint32_t origin_;
  int lane_;
  bool is_exact_;
  mutable bool too_wide_ = false;
};

bool is_linear(const Look& look) {
  return !look.args.gathers &&
         (look.sampler.mag_filter == Filter::linear || look.sampler.min_filter == Filter::linear ||
          (look.image.levels > 1 && look.sampler.mipmap_mode == Filter::linear));
}

/// How far the sum of weighted texels may be off. Vulkan's rule for arithmetic outside of shaders is 1 in 100,000; for
/// normalized numbers of few bits, halves and results of comparisons its conformance tests take this much.
double error_of(const Look& look, double largest) {
  const ImageFormatInfo& info = info_of(look.image.format);
  if (!is_linear(look)) return 0;
  if (look.args.compares) return 1.0 / 32 + 1.0 / 128;
  const bool norm = info.coding == TexelCoding::unorm || info.coding == TexelCoding::snorm;
  if (norm) return info.bits[0] <= 8 ? 1.0 / 63 : 1.0 / 255;
  return largest * (info.bits[0] < 32 ? 0x1p-8 : 1e-5);
}

Allowed bounded(const Colours& colours, std::size_t component, const Look& look,
                std::uint32_t origin) {
  const ImageFormatInfo& info = info_of(look.image.format);
  if (info.number() != TexelNumber::float32)
    return colours.is_one ? Allowed{} : oracle::any(Kind::open, Why::sampling, origin);
  if (!colours.reason.is_number()) return colours.reason;
  const Interval& values = colours.of[component];
  const double error = error_of(look, colours.largest);
  if (!values.is_finite() || std::isnan(values.low) || std::isnan(values.high))
    return oracle::any(Kind::undefined, Why::special, origin);
  if (look.args.compares)
    return oracle::numbers({std::max(values.low - error, 0.0), std::min(values.high + error, 1.0)},
                           origin);
  const bool norm = info.coding == TexelCoding::unorm || info.coding == TexelCoding::snorm;
  if (error == 0 && values.is_point() && (!norm || values.low == 0 || values.low == 1))
    return oracle::numbers(values, origin);
  // Numbers of floats that are not filtered are one of the texels.
  if (error == 0 && !norm) return oracle::numbers(values, origin);
  const Interval wide{values.low - error, values.high + error};
  return oracle::numbers(oracle::within_ulps(wide, norm ? 3.5 : 1, {}), origin);
}

/// The image and the sampler that a lane uses, if there are any.
std::optional<Look> look_of(const Context& c, const SampleArgs& args, int lane) {
  const std::uint64_t image = chosen(c, args.image, args.image_choices, args.image_element, lane);
  const std::uint64_t sampler =
      chosen(c, args.sampler, args.sampler_choices, args.sampler_element, lane);
  if (image >= c.memory_count || sampler >= c.memory_count) return {};
  const Memory& texels = c.memory[image];
  if (!has_texels(texels) || c.memory[sampler].sampler == nullptr) return {};
  return Look(texels, *c.memory[sampler].sampler, args);
}

/// Whether lanes of a quad use different images or samplers, for which there is no implicit level.
bool differs_in_quad(const Context& c, const SampleArgs& args, int lane) {
  if (!is_of_quad(args) || (args.image_choices == 0 && args.sampler_choices == 0)) return false;
  const auto used = [&](int of) {
    return std::pair(chosen(c, args.image, args.image_choices, args.image_element, of),
                     chosen(c, args.sampler, args.sampler_choices, args.sampler_element, of));
  };
  for (int k = 0; k < 4; ++k) {
    const int other = lane / 4 * 4 + k;
    if (other < c.size && c.state.active.test(other) && used(other) != used(lane)) return true;
  }
  return false;
}

/// Beyond that, OpImageQueryLod may give a device's own limits.
constexpr double most_queried_level = 16;

Allowed queried_level(const Interval& level, std::uint32_t origin) {
  if (!(level.magnitude() <= most_queried_level))
    return oracle::any(Kind::open, Why::sampling, origin);
  return oracle::numbers(level.is_point() ? level : oracle::within_ulps(level, 1, {}), origin);
}

/// What a lane's results may be.
std::array<Allowed, 4> allowed_results(const Context& c, const BoundArgs& args, int lane) {
  std::array<Allowed, 4> all;
  const std::uint32_t origin = args.bound.origin;
  all.fill(oracle::any(Kind::open, Why::sampling, origin));
  if (const Allowed weakest = Operands(c, args, lane).weakest(); !weakest.is_number()) {
    all.fill(weakest);
    return all;
  }
  const std::optional<Look> look = look_of(c, *args.sample, lane);
  if (!look) return all;
  if (differs_in_quad(c, *args.sample, lane)) {
    all.fill(oracle::any(Kind::undefined, Why::lanes, origin));
    return all;
  }
  const Sampled sampled(c, *look, args, lane);
  if (args.sample->queries_level) {
    if (const auto levels = sampled.queried()) {
      for (std::size_t k = 0; k < 2; ++k) all[k] = queried_level((*levels)[k], origin);
    }
  } else if (args.sample->gathers) {
    if (const auto four = sampled.gathered()) {
      const std::size_t component = args.sample->compares ? 0 : args.sample->component;
      for (std::size_t k = 0; k < 4; ++k) all[k] = bounded((*four)[k], component, *look, origin);
    }
  } else if (const auto colours = sampled.all()) {
    for (std::size_t k = 0; k < 4; ++k) all[k] = bounded(*colours, k, *look, origin);
  }
  return all;
}

/// Operands: those of the operation, its results, and allowed for each of its operands.
const Inst* sample_texels(const Inst* i, Context& c) {
  const auto& args = *static_cast<const BoundArgs*>(i->args);
  for_each_lane(c.state.active, [&](int lane) {
    const std::array<Allowed, 4> all = allowed_results(c, args, lane);
    for (std::size_t k = 0; k < args.results.size(); ++k)
      put_allowed(c, args.results[k], lane, all[k]);
  });
  return i + 1;
}

}  // namespace

Run find_bound_sample() { return sample_texels; }

}  // namespace lockstep::spirv
