#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "oracle/memory.hpp"
#include "oracle/operations.hpp"
#include "shader/run/bound_args.hpp"
#include "shader/run/ops/memory_access.hpp"

/// \file
/// What a device may have: texels of images.
///
/// Each component is a number of memory, or a field of a packed texel's word: 32-bit floats and all integers are stored as
/// they are, smaller floats and normalized numbers are rounded either way.

namespace lockstep::spirv {
namespace {

using oracle::Allowed;
using oracle::Why;
using Kind = Allowed::Kind;

/// The image that a lane's operation is on, and the texel in it; null outside.
struct Texel {
  const Memory* image = nullptr;
  std::byte* at = nullptr;

  const ImageFormatInfo& info() const { return info_of(image->format); }
  bool is_integer() const {
    return info().coding == TexelCoding::sint || info().coding == TexelCoding::uint;
  }
  bool is_norm() const {
    return info().coding == TexelCoding::unorm || info().coding == TexelCoding::snorm;
  }
  /// The bytes of a texel that are noted as one number: those of a component, or all in pieces.
  std::uint32_t piece() const {
    return info().packed() ? std::min(texel_bytes(image->format), 4u) : info().bits[0] / 8;
  }
  bool is_signed() const { return info().coding == TexelCoding::snorm; }
  /// The largest number of a normalized component.
  double most(std::size_t k) const {
    const int bits = static_cast<int>(info().bits[k]) - (is_signed() ? 1 : 0);
    return std::ldexp(1.0, bits) - 1;
  }
  /// The components of a packed word, the first in the lowest bits.
  std::vector<oracle::Field> fields() const {
    std::vector<oracle::Field> all;
    std::uint32_t shift = 0;
    for (std::uint32_t k = 0; k < info().components; ++k) {
      all.push_back({shift, info().bits[k], info().coding == TexelCoding::floating});
      shift += info().bits[k];
    }
    return all;
  }
};

/// The operand that chooses an element of an array of images is the last.
Texel texel_of(const Context& c, const BoundArgs& args, const Slot& choice, int lane) {
  const auto& op = args.bound.of->as<ImageOp>();
  std::uint64_t which = op.resource;
  if (choice.at != nowhere) which += get_bits(c, choice, Scalar::u32, lane);
  if (which >= c.memory_count) return {};
  const Memory& image = c.memory[which];
  const std::uint64_t number = get_bits(c, args.slots[0], Scalar::u32, lane);
  const std::uint64_t bytes = texel_bytes(image.format);
  if (number == 0xffffffff || (number + 1) * bytes > image.size) return {&image, nullptr};
  return {&image, image.data + number * bytes};
}

Allowed of_index(const Allowed& index) {
  return index.kind == Kind::within ? oracle::any(Kind::open, Why::index, index.origin) : index;
}

/// What memory holds for a component.
Allowed component_of(const Context& c, const Texel& texel, std::size_t k) {
  if (texel.at == nullptr) return {};
  const std::uint32_t piece = texel.piece();
  if (!texel.info().packed())
    return k < texel.info().components ? c.bounds->load(texel.at + k * piece, piece) : Allowed{};
  Allowed all;
  for (std::uint32_t at = 0; at < texel_bytes(texel.image->format); at += piece)
    all = oracle::weaker(all, c.bounds->load(texel.at + at, piece));
  const std::vector<oracle::Field>* const fields = c.bounds->fields(texel.at);
  if (all.kind != Kind::within || fields == nullptr) return all;
  if (k >= fields->size()) return {};
  return oracle::numbers(oracle::loaded((*fields)[k]), all.origin);
}

/// The number that is loaded as component k, of which the reference has `value`. The division of a normalized number by
/// the largest of its format need not be exact.
Allowed decoded(const Allowed& there, const Texel& texel, std::size_t k, double value,
                std::uint32_t origin) {
  if (texel.at == nullptr || !there.is_number() || texel.is_integer()) return there;
  const bool exact = there.kind == Kind::exact;
  if (!texel.is_norm()) return exact ? there : oracle::numbers(there.values, origin);
  if (exact && (value == 0 || std::abs(value) == 1)) return there;
  oracle::Interval numbers = oracle::Interval::point(value);
  if (!exact) {
    numbers = texel.info().packed() ? there.values
                                    : there.values / oracle::Interval::point(texel.most(k));
    if (numbers == oracle::Interval::point(0) || numbers == oracle::Interval::point(1))
      return oracle::numbers(numbers, origin);
  }
  return oracle::numbers(oracle::within_ulps(numbers, 3.5, {}), origin);
}

}  // namespace

Allowed allowed_component(const Context& c, const Memory& image, std::byte* at, std::size_t k,
                          double value, std::uint32_t origin) {
  const Texel texel{&image, at};
  return decoded(component_of(c, texel, k), texel, k, value, origin);
}

namespace {

/// Operands: the texel, allowed for it, the element of an array, the loaded numbers.
const Inst* load_texel(const Inst* i, Context& c) {
  const auto& args = *static_cast<const BoundArgs*>(i->args);
  for_each_lane(c.state.active, [&](int lane) {
    const Texel texel = texel_of(c, args, args.slots[2], lane);
    const Allowed index = of_index(get_allowed(c, args.slots[1], lane));
    for (std::size_t k = 0; k < args.results.size(); ++k) {
      const double value = oracle::from_bits(
          get_bits(c, args.slots[3 + k], args.types[3 + k], lane), oracle::float32);
      const Allowed there = decoded(component_of(c, texel, k), texel, k, value, args.bound.origin);
      put_allowed(c, args.results[k], lane, oracle::weaker(there, index));
    }
  });
  return i + 1;
}

/// The stored number of a component of its own: of 16-bit floats either neighbour, of normalized ones either whole number
/// beside it.
Allowed encoded(const Allowed& value, const Texel& texel, std::size_t k, double exact,
                std::uint32_t origin) {
  const ImageFormatInfo& info = texel.info();
  const bool floating = info.coding == TexelCoding::floating;
  if (floating && info.bits[0] == 32) return value;
  if (texel.is_integer())
    return value.kind == Kind::within ? oracle::any(Kind::open, Why::conversion, value.origin)
                                      : value;
  if (!value.is_number()) return value;
  const oracle::Rules rules{.precision = {floating ? oracle::float16 : oracle::float32},
                            .origin = origin};
  const Allowed number = oracle::operand(value, exact, rules);
  if (!number.is_number()) return number;
  if (floating) return oracle::converted(number.values, rules);
  const auto least = oracle::Interval::point(texel.is_signed() ? -1 : 0);
  const oracle::Interval clamped =
      oracle::min(oracle::max(number.values, least), oracle::Interval::point(1));
  const oracle::Interval scaled = clamped * oracle::Interval::point(texel.most(k));
  return {.kind = Kind::within,
          .why = Why::conversion,
          .origin = origin,
          .values = {std::floor(scaled.low), std::ceil(scaled.high)}};
}

/// A lane's components, and what is allowed for them.
struct Components {
  std::array<Allowed, 4> allowed;
  std::array<double, 4> exact;
};

/// Stores a word of floats or normalized numbers.
void store_packed(Context& c, const Texel& texel, const Components& from, const Allowed& reason,
                  std::uint32_t origin) {
  std::vector<oracle::Field> fields = texel.fields();
  Allowed all = reason;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const Allowed number = from.allowed[k].is_number()
                               ? oracle::operand(from.allowed[k], from.exact[k], {.origin = origin})
                               : from.allowed[k];
    all = oracle::weaker(all, number);
    if (number.is_number()) fields[k].values = oracle::stored(number.values, fields[k]);
  }
  if (all.is_number())
    c.bounds->store_fields(texel.at, std::move(fields), origin);
  else
    c.bounds->store(texel.at, texel.piece(), all);
}

/// Operands: the texel, allowed for it, the control's, the element of an array, each component, allowed for each.
const Inst* store_texel(const Inst* i, Context& c) {
  const auto& args = *static_cast<const BoundArgs*>(i->args);
  for_each_lane(c.state.active, [&](int lane) {
    const Texel texel = texel_of(c, args, args.slots[3], lane);
    if (texel.image == nullptr || texel.image->data == nullptr) return;
    const Allowed index = of_index(get_allowed(c, args.slots[1], lane));
    const Allowed control = get_allowed(c, args.slots[2], lane);
    if (index.kind != Kind::exact) c.bounds->taint(texel.image->data, texel.image->size, index);
    if (texel.at == nullptr) return;
    const Allowed reason = oracle::weaker(index, control);
    Components from;
    for (std::size_t k = 0; k < 4; ++k) {
      from.allowed[k] = get_allowed(c, args.slots[8 + k], lane);
      from.exact[k] = oracle::from_bits(get_bits(c, args.slots[4 + k], args.types[4 + k], lane),
                                        oracle::float32);
    }
    if (texel.info().packed() && !texel.is_integer())
      return store_packed(c, texel, from, reason, args.bound.origin);
    Allowed all;
    for (std::size_t k = 0; k < 4; ++k) {
      const Allowed value = oracle::weaker(
          encoded(from.allowed[k], texel, k, from.exact[k], args.bound.origin), reason);
      all = oracle::weaker(all, value);
      if (!texel.info().packed() && k < texel.info().components)
        c.bounds->store(texel.at + k * texel.piece(), texel.piece(), value);
    }
    if (texel.info().packed()) c.bounds->store(texel.at, texel.piece(), all);
  });
  return i + 1;
}

}  // namespace

Run find_bound_texel(Bound::Kind kind) {
  return kind == Bound::Kind::load_texel ? load_texel : store_texel;
}

}  // namespace lockstep::spirv
