#include "spirv/ir/undefined_results.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/why_undefined.hpp>
#include <lockstep/lanes/float16.hpp>

#include "spirv/ir/built_ins.hpp"

namespace lockstep::spirv {
namespace {

std::uint64_t bits_of_number(Scalar type, double value) {
  switch (type) {
    case Scalar::f16:
      return float16_t(value).bits;
    case Scalar::f32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case Scalar::f64:
      return std::bit_cast<std::uint64_t>(value);
    default:
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }
}

constexpr std::uint32_t bits(Scalar type) { return size_of(type) * 8; }

/// Builds conditions on an operation's operands.
class Conditions {
 public:
  Conditions(const Op& op, Ir& ir, const Emit& emit, Constants& constants)
      : op_(op), ir_(ir), emit_(emit), constants_(constants) {}

  Reg operand(std::size_t k) const { return op_.src[k]; }
  Reg number(double value) { return constants_.of_number(ir_, op_.type, value); }
  Reg number(Scalar type, double value) { return constants_.of_number(ir_, type, value); }
  Reg word(std::uint64_t value) { return constants_.of(ir_, Scalar::u32, value); }
  Reg less(Reg a, Reg b) { return emit_(Code::less, op_.type, {a, b}); }
  Reg less(Scalar type, Reg a, Reg b) { return emit_(Code::less, type, {a, b}); }
  Reg less_equal(Reg a, Reg b) { return emit_(Code::less_equal, op_.type, {a, b}); }
  Reg equal(Reg a, Reg b) { return emit_(Code::equal, op_.type, {a, b}); }
  Reg both(Reg a, Reg b) { return emit_(Code::band, Scalar::boolean, {a, b}); }
  Reg either(Reg a, Reg b) { return emit_(Code::bor, Scalar::boolean, {a, b}); }
  Reg unless(Reg a) { return emit_(Code::bnot, Scalar::boolean, {a}); }

  Reg shift_too_wide() {
    const Scalar type = with_sign(op_.type, false);
    return emit_(Code::less_equal, type, {constants_.of(ir_, type, bits(type)), operand(1)});
  }
  /// Also the quotient that the type cannot hold.
  Reg no_quotient() {
    const Reg zero = equal(operand(1), constants_.of(ir_, op_.type, 0));
    if (!is_signed(op_.type)) return zero;
    const std::uint64_t all =
        size_of(op_.type) == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits(op_.type)) - 1;
    const Reg least = constants_.of(ir_, op_.type, all ^ (all >> 1));
    const Reg minus_one = constants_.of(ir_, op_.type, all);
    return either(zero, both(equal(operand(0), least), equal(operand(1), minus_one)));
  }
  /// A float whose integral part the integer type cannot hold.
  Reg not_convertible() {
    const int magnitude = static_cast<int>(bits(op_.type)) - (is_signed(op_.type) ? 1 : 0);
    const double above = std::ldexp(1.0, magnitude);
    const double least = is_signed(op_.type) ? -above : 0;
    const Reg x = operand(0);
    const Reg high = emit_(Code::less, op_.from, {x, number(op_.from, above)});
    // Fractions below the least number are cut off, where the float type has them.
    const int digits = op_.from == Scalar::f64 ? 53 : op_.from == Scalar::f32 ? 24 : 11;
    const bool exact = least == 0 || magnitude < digits;
    const Reg low = exact ? emit_(Code::less, op_.from, {number(op_.from, least - 1), x})
                          : emit_(Code::less_equal, op_.from, {number(op_.from, least), x});
    return unless(both(high, low));
  }
  /// Fields of bits that end beyond the number.
  Reg field_too_wide(std::size_t offset, std::size_t count) {
    const Reg width = word(bits(op_.type));
    const Reg rest = emit_(Code::sub, Scalar::u32, {width, operand(offset)});
    return either(emit_(Code::less, Scalar::u32, {width, operand(offset)}),
                  emit_(Code::less, Scalar::u32, {rest, operand(count)}));
  }

 private:
  const Op& op_;
  Ir& ir_;
  const Emit& emit_;
  Constants& constants_;
};

bool is_whole(Scalar type) { return type != Scalar::boolean && !is_float(type); }

/// In GLSL.
const char* function_name(Code code) {
  switch (code) {
    case Code::sqrt:
      return "sqrt";
    case Code::inverse_sqrt:
      return "inversesqrt";
    case Code::log:
      return "log";
    case Code::log2:
      return "log2";
    case Code::asin:
      return "asin";
    case Code::acos:
      return "acos";
    case Code::acosh:
      return "acosh";
    case Code::atanh:
      return "atanh";
    case Code::atan2:
      return "atan";
    case Code::pow:
      return "pow";
    case Code::smooth_step:
      return "smoothstep";
    case Code::clamp:
    case Code::nclamp:
      return "clamp";
    case Code::ldexp:
      return "ldexp";
    default:
      return "";
  }
}

}  // namespace

Reg Constants::of(Ir& ir, Scalar type, std::uint64_t value) {
  const auto [found, added] = known_.try_emplace({type, value}, 0);
  if (added) {
    RegInfo info;
    info.type = type;
    info.constant = true;
    info.value = value;
    ir.regs.push_back(info);
    found->second = static_cast<Reg>(ir.regs.size() - 1);
  }
  return found->second;
}
Reg Constants::of_number(Ir& ir, Scalar type, double value) {
  return of(ir, type, bits_of_number(type, value));
}

Check domain_rule(Code code) {
  switch (code) {
    case Code::shl:
    case Code::shr:
    case Code::bit_insert:
    case Code::bit_extract:
      return Check::shift_too_wide;
    case Code::div:
    case Code::mod:
    case Code::rem:
      return Check::division_by_zero;
    case Code::convert:
      return Check::conversion_range;
    default:
      return Check::math_domain;
  }
}

bool has_domain(const Op& op, std::span<const RegInfo> regs) {
  const auto is_constant_below = [&](std::size_t k, std::uint64_t limit) {
    return regs[op.src[k]].constant && !regs[op.src[k]].undefined && regs[op.src[k]].value < limit;
  };
  switch (op.code) {
    case Code::shl:
    case Code::shr:
      return !is_constant_below(1, bits(op.type));
    case Code::div:
    case Code::mod:
    case Code::rem: {
      if (!is_whole(op.type)) return false;
      const RegInfo& divisor = regs[op.src[1]];
      const std::uint64_t minus_one = ~std::uint64_t{0} >> (64 - bits(op.type));
      return !divisor.constant || divisor.undefined || divisor.value == 0 ||
             (is_signed(op.type) && (divisor.value & minus_one) == minus_one);
    }
    case Code::convert:
      return is_float(op.from) && is_whole(op.type);
    case Code::clamp:
    case Code::nclamp: {
      const RegInfo &low = regs[op.src[1]], &high = regs[op.src[2]];
      // The usual limits are numbers of which the lower comes first, as their bits tell.
      const bool known = low.constant && high.constant && !low.undefined && !high.undefined;
      return !known || is_signed(op.type) || low.value > high.value;
    }
    case Code::sqrt:
    case Code::inverse_sqrt:
    case Code::log:
    case Code::log2:
    case Code::asin:
    case Code::acos:
    case Code::acosh:
    case Code::atanh:
    case Code::atan2:
    case Code::pow:
    case Code::smooth_step:
    case Code::ldexp:
      return true;
    case Code::bit_insert:
    case Code::bit_extract: {
      const std::size_t offset = op.src.size() - 2;
      return !is_constant_below(offset, 33) || !is_constant_below(offset + 1, 33) ||
             regs[op.src[offset]].value + regs[op.src[offset + 1]].value > bits(op.type);
    }
    default:
      return false;
  }
}

std::optional<OutsideDomain> emit_domain(const Op& op, Ir& ir, const Emit& emit,
                                         Constants& constants) {
  if (!has_domain(op, ir.regs)) return std::nullopt;
  Conditions c(op, ir, emit, constants);
  const auto math = [&](Reg lanes) {
    return OutsideDomain{lanes, why_undefined(Check::math_domain, function_name(op.code))};
  };
  const Reg x = op.src[0];
  switch (op.code) {
    case Code::shl:
    case Code::shr:
      return OutsideDomain{c.shift_too_wide(), why_undefined(Check::shift_too_wide, "shift",
                                                             static_cast<int>(bits(op.type)))};
    case Code::bit_insert:
    case Code::bit_extract: {
      const std::size_t offset = op.src.size() - 2;
      return OutsideDomain{c.field_too_wide(offset, offset + 1),
                           why_undefined(Check::shift_too_wide, "bitfield")};
    }
    case Code::div:
    case Code::mod:
    case Code::rem:
      return OutsideDomain{
          c.no_quotient(),
          why_undefined(Check::division_by_zero, is_signed(op.type) ? "signed" : "unsigned")};
    case Code::convert:
      return OutsideDomain{c.not_convertible(),
                           why_undefined(Check::conversion_range, "conversion")};
    case Code::sqrt:
      return math(c.less(x, c.number(0)));
    case Code::inverse_sqrt:
    case Code::log:
    case Code::log2:
      return math(c.less_equal(x, c.number(0)));
    case Code::asin:
    case Code::acos:
      return math(c.either(c.less(c.number(1), x), c.less(x, c.number(-1))));
    case Code::acosh:
      return math(c.less(x, c.number(1)));
    case Code::atanh:
      return math(c.either(c.less_equal(c.number(1), x), c.less_equal(x, c.number(-1))));
    case Code::atan2:
      return math(c.both(c.equal(x, c.number(0)), c.equal(op.src[1], c.number(0))));
    case Code::pow:
      return math(c.either(c.less(x, c.number(0)),
                           c.both(c.equal(x, c.number(0)), c.less_equal(op.src[1], c.number(0)))));
    case Code::smooth_step:
      return math(c.less_equal(op.src[1], x));
    case Code::clamp:
    case Code::nclamp:
      return math(c.less(op.src[2], op.src[1]));
    case Code::ldexp: {
      const double most = op.type == Scalar::f64 ? 1024 : op.type == Scalar::f32 ? 128 : 16;
      return math(c.less(Scalar::i32, c.number(Scalar::i32, most), op.src[1]));
    }
    default:
      return std::nullopt;
  }
}

std::optional<UndefinedBetweenLanes> undefined_rule(const Op& op) {
  if (!is_subgroup(op.code)) return std::nullopt;
  const std::string name(spec::function(name_of(op)).name);
  const auto breaks = [&](Check rule) {
    return UndefinedBetweenLanes{rule, why_undefined(rule, name)};
  };
  switch (op.code) {
    case Code::broadcast:
      return breaks(Check::undefined_broadcast);
    case Code::shuffle:
    case Code::shuffle_xor:
    case Code::rotate:
    case Code::clustered_rotate:
      return breaks(Check::undefined_shuffle);
    case Code::shuffle_up:
    case Code::shuffle_down:
      return UndefinedBetweenLanes{Check::undefined_shuffle,
                                   why_undefined(Check::undefined_shuffle, name), true,
                                   why_undefined(Check::shuffle_past_edge, name)};
    case Code::quad_broadcast:
    case Code::quad_swap:
      return breaks(Check::undefined_quad);
    case Code::ballot_find_lsb:
    case Code::ballot_find_msb:
      return breaks(Check::find_in_empty_ballot);
    case Code::ballot_bit_extract:
      return breaks(Check::ballot_bit_outside);
    case Code::partitioned_reduce:
    case Code::partitioned_inclusive_scan:
    case Code::partitioned_exclusive_scan:
      return breaks(Check::partition_invalid);
    case Code::reduce:
    case Code::inclusive_scan:
    case Code::exclusive_scan:
    case Code::clustered: {
      const Operator kind = op.as<Reduction>().op;
      if (!is_float(op.type) || (kind != Operator::min && kind != Operator::max))
        return std::nullopt;
      return breaks(Check::all_nan);
    }
    default:
      return std::nullopt;
  }
}

UndefinedLanes undefined_lanes_of(const Op& op) {
  UndefinedLanes detail{op.code};
  if (const auto* reduction = std::get_if<Reduction>(&op.detail)) {
    detail.op = reduction->op;
    detail.cluster = reduction->cluster;
  }
  if (const auto* cluster = std::get_if<Cluster>(&op.detail)) detail.cluster = cluster->lanes;
  if (const auto* quad = std::get_if<Quad>(&op.detail)) detail.direction = quad->direction;
  return detail;
}

}  // namespace lockstep::spirv
