#include <cmath>

#include "oracle/memory.hpp"
#include "oracle/operations.hpp"
#include "spirv/exec/allow_args.hpp"
#include "spirv/exec/ops/memory_access.hpp"

/// \file
/// What a device may have: texels of images.
///
/// Each component is a number of memory: 32-bit floats and all integers are stored as they are, 16-bit floats and
/// unsigned normalized numbers are rounded either way. What other formats make of a number is not followed: such a texel
/// is open once the shader has written it.

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
  /// The largest number of a normalized component.
  double most() const { return std::ldexp(1.0, static_cast<int>(info().bits[0])) - 1; }
};

/// The operand that chooses an element of an array of images is the last.
Texel texel_of(const Context& c, const AllowArgs& args, const Slot& choice, int lane) {
  const auto& op = args.allow.of->as<ImageOp>();
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
    return k < texel.info().components ? c.allowed->load(texel.at + k * piece, piece) : Allowed{};
  Allowed all;
  for (std::uint32_t at = 0; at < texel_bytes(texel.image->format); at += piece)
    all = oracle::weaker(all, c.allowed->load(texel.at + at, piece));
  return all;
}

/// The number that is loaded, of which the reference has `value`. The division of a normalized number by the largest of
/// its format need not be exact.
Allowed decoded(const Allowed& there, const Texel& texel, double value, std::uint32_t origin) {
  if (texel.at == nullptr || !there.is_number() || texel.is_integer()) return there;
  const bool exact = there.kind == Kind::exact;
  if (!texel.is_norm()) return exact ? there : oracle::numbers(there.values, origin);
  if (exact && (value == 0 || std::abs(value) == 1)) return there;
  const oracle::Interval numbers =
      exact ? oracle::Interval::point(value) : there.values / oracle::Interval::point(texel.most());
  return oracle::numbers(oracle::within_ulps(numbers, 3.5, {}), origin);
}

/// Operands: the texel, allowed for it, the element of an array, the loaded numbers.
const Inst* load_texel(const Inst* i, Context& c) {
  const auto& args = *static_cast<const AllowArgs*>(i->args);
  for_each_lane(c.state.active, [&](int lane) {
    const Texel texel = texel_of(c, args, args.slots[2], lane);
    const Allowed index = of_index(get_allowed(c, args.slots[1], lane));
    for (std::size_t k = 0; k < args.results.size(); ++k) {
      const double value = oracle::from_bits(
          get_bits(c, args.slots[3 + k], args.types[3 + k], lane), oracle::float32);
      const Allowed there = decoded(component_of(c, texel, k), texel, value, args.allow.origin);
      put_allowed(c, args.results[k], lane, oracle::weaker(there, index));
    }
  });
  return i + 1;
}

/// The stored number: of 16-bit floats either neighbour, of unsigned normalized ones either whole number beside it.
Allowed encoded(const Allowed& value, const Texel& texel, double exact, std::uint32_t origin) {
  const ImageFormatInfo& info = texel.info();
  const bool floating = info.coding == TexelCoding::floating;
  if (floating && info.bits[0] == 32) return value;
  if (texel.is_integer())
    return value.kind == Kind::within ? oracle::any(Kind::open, Why::conversion, value.origin)
                                      : value;
  if (!value.is_number()) return value;
  const bool half = floating && info.bits[0] == 16;
  if (info.packed() || (!half && info.coding != TexelCoding::unorm))
    return oracle::any(Kind::open, Why::texel, origin);
  const oracle::Rules rules{.precision = {half ? oracle::float16 : oracle::float32},
                            .origin = origin};
  const Allowed number = oracle::operand(value, exact, rules);
  if (!number.is_number()) return number;
  if (half) return oracle::converted(number.values, rules);
  const oracle::Interval unit{0, 1};
  const oracle::Interval clamped =
      oracle::min(oracle::max(number.values, oracle::Interval::point(unit.low)),
                  oracle::Interval::point(unit.high));
  const oracle::Interval scaled = clamped * oracle::Interval::point(texel.most());
  return {.kind = Kind::within,
          .why = Why::conversion,
          .origin = origin,
          .values = {std::floor(scaled.low), std::ceil(scaled.high)}};
}

/// Operands: the texel, allowed for it, the control's, the element of an array, each component, allowed for each.
const Inst* store_texel(const Inst* i, Context& c) {
  const auto& args = *static_cast<const AllowArgs*>(i->args);
  for_each_lane(c.state.active, [&](int lane) {
    const Texel texel = texel_of(c, args, args.slots[3], lane);
    if (texel.image == nullptr || texel.image->data == nullptr) return;
    const Allowed index = of_index(get_allowed(c, args.slots[1], lane));
    const Allowed control = get_allowed(c, args.slots[2], lane);
    if (index.kind != Kind::exact) c.allowed->taint(texel.image->data, texel.image->size, index);
    if (texel.at == nullptr) return;
    Allowed all;
    for (std::size_t k = 0; k < 4; ++k) {
      const double exact = oracle::from_bits(
          get_bits(c, args.slots[4 + k], args.types[4 + k], lane), oracle::float32);
      Allowed value =
          encoded(get_allowed(c, args.slots[8 + k], lane), texel, exact, args.allow.origin);
      value = oracle::weaker(oracle::weaker(value, index), control);
      all = oracle::weaker(all, value);
      if (!texel.info().packed() && k < texel.info().components)
        c.allowed->store(texel.at + k * texel.piece(), texel.piece(), value);
    }
    if (!texel.info().packed()) return;
    for (std::uint32_t at = 0; at < texel_bytes(texel.image->format); at += texel.piece())
      c.allowed->store(texel.at + at, texel.piece(), all);
  });
  return i + 1;
}

}  // namespace

Run find_allow_texel(Allow::Kind kind) {
  return kind == Allow::Kind::load_texel ? load_texel : store_texel;
}

}  // namespace lockstep::spirv
