#include <cmath>

#include "oracle/memory.hpp"
#include "oracle/operations.hpp"
#include "spirv/exec/allow_args.hpp"
#include "spirv/exec/ops/memory_access.hpp"

/// \file
/// What a device may have: texels of images.
///
/// 32-bit floats and all integers are stored as they are. What other formats make of a number is not followed: such a
/// texel is open once the shader has written it.

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
  bool is_plain() const { return info().coding == TexelCoding::floating && info().bits[0] == 32; }
  bool is_integer() const {
    return info().coding == TexelCoding::sint || info().coding == TexelCoding::uint;
  }
  bool is_norm() const {
    return info().coding == TexelCoding::unorm || info().coding == TexelCoding::snorm;
  }
  /// Texels are noted in pieces that are numbers of memory.
  std::uint32_t piece() const { return is_plain() ? 4 : std::min(texel_bytes(image->format), 4u); }
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

/// Operands: the texel, allowed for it, the element of an array, the loaded numbers.
const Inst* load_texel(const Inst* i, Context& c) {
  const auto& args = *static_cast<const AllowArgs*>(i->args);
  for_each_lane(c.state.active, [&](int lane) {
    const Texel texel = texel_of(c, args, args.slots[2], lane);
    const Allowed index = of_index(get_allowed(c, args.slots[1], lane));
    for (std::size_t k = 0; k < args.results.size(); ++k) {
      Allowed there;
      if (texel.at != nullptr && texel.is_plain()) {
        if (k < static_cast<std::size_t>(texel.info().components))
          there = c.allowed->load(texel.at + 4 * k, 4);
      } else if (texel.at != nullptr) {
        for (std::uint32_t at = 0; at < texel_bytes(texel.image->format); at += texel.piece())
          there = oracle::weaker(there, c.allowed->load(texel.at + at, texel.piece()));
      }
      const double value = oracle::from_bits(
          get_bits(c, args.slots[3 + k], args.types[3 + k], lane), oracle::float32);
      // The division by the largest number of the format need not be exact.
      if (there.kind == Kind::exact && texel.at != nullptr && texel.is_norm() && value != 0 &&
          std::abs(value) != 1)
        there = oracle::numbers(oracle::within_ulps(oracle::Interval::point(value), 3.5, {}),
                                args.allow.origin);
      put_allowed(c, args.results[k], lane, oracle::weaker(there, index));
    }
  });
  return i + 1;
}

/// Operands: the texel, allowed for it, the control's, the element of an array, allowed for each component.
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
      Allowed value =
          oracle::weaker(oracle::weaker(get_allowed(c, args.slots[4 + k], lane), index), control);
      if (texel.is_plain()) {
        if (k < static_cast<std::size_t>(texel.info().components))
          c.allowed->store(texel.at + 4 * k, 4, value);
        continue;
      }
      if (value.kind == Kind::within)
        value = oracle::any(Kind::open, Why::conversion, value.origin);
      all = oracle::weaker(all, value);
    }
    if (texel.is_plain()) return;
    if (all.is_number() && !texel.is_integer())
      all = oracle::any(Kind::open, Why::texel, args.allow.origin);
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
