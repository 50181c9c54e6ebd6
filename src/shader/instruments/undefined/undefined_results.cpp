#include "shader/instruments/undefined/undefined_results.hpp"

#include <bit>
#include <cmath>
#include <string_view>

#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/why_undefined.hpp>
#include <lockstep/lanes/float16.hpp>

#include "shader/ir/built_ins.hpp"
#include "shader/ir/operations.hpp"

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

  const Op& op() const { return op_; }
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

/// The operation's function in GLSL.
std::string_view function_name(Code code) {
  const std::string_view text = operation_of(code).text;
  return text.substr(0, text.find('('));
}

using Registers = std::span<const RegInfo>;

bool is_constant_below(const Op& op, Registers regs, std::size_t k, std::uint64_t limit) {
  const RegInfo& operand = regs[op.src[k]];
  return operand.constant && !operand.undefined && operand.value < limit;
}

/// A rule of the column `undefined`: where an operation has no defined result.
struct Domain {
  Check rule = Check::math_domain;  ///< that its operands break there
  bool (*may_leave)(const Op& op,
                    Registers regs) = nullptr;  ///< whether they may, by the constants among them
  Reg (*outside)(Conditions& c) = nullptr;      ///< where they do
  std::string (*why)(const Op& op) = nullptr;
};

bool always(const Op&, Registers) { return true; }

/// Of a function of GLSL.std.450.
constexpr Domain of_function(Reg (*outside)(Conditions& c),
                             bool (*may_leave)(const Op&, Registers) = always) {
  return {Check::math_domain, may_leave, outside,
          [](const Op& op) { return why_undefined(Check::math_domain, function_name(op.code)); }};
}

namespace domain {

bool may_shift_too_far(const Op& op, Registers regs) {
  return !is_constant_below(op, regs, 1, bits(op.type));
}
bool may_leave_number(const Op& op, Registers regs) {
  const std::size_t offset = op.src.size() - 2;
  return !is_constant_below(op, regs, offset, 33) || !is_constant_below(op, regs, offset + 1, 33) ||
         regs[op.src[offset]].value + regs[op.src[offset + 1]].value > bits(op.type);
}
bool may_have_no_quotient(const Op& op, Registers regs) {
  if (!is_whole(op.type)) return false;
  const RegInfo& divisor = regs[op.src[1]];
  const std::uint64_t minus_one = ~std::uint64_t{0} >> (64 - bits(op.type));
  return !divisor.constant || divisor.undefined || divisor.value == 0 ||
         (is_signed(op.type) && (divisor.value & minus_one) == minus_one);
}
bool may_be_swapped(const Op& op, Registers regs) {
  const RegInfo &low = regs[op.src[1]], &high = regs[op.src[2]];
  // The usual limits are numbers of which the lower comes first, as their bits tell.
  const bool known = low.constant && high.constant && !low.undefined && !high.undefined;
  return !known || is_signed(op.type) || low.value > high.value;
}

constexpr Domain never{.may_leave = [](const Op&, Registers) { return false; }};

constexpr Domain shift_count{
    Check::shift_too_wide, may_shift_too_far, [](Conditions& c) { return c.shift_too_wide(); },
    [](const Op& op) {
      return why_undefined(Check::shift_too_wide, "shift", static_cast<int>(bits(op.type)));
    }};
constexpr Domain bit_field{
    Check::shift_too_wide, may_leave_number,
    [](Conditions& c) {
      const std::size_t offset = c.op().src.size() - 2;
      return c.field_too_wide(offset, offset + 1);
    },
    [](const Op&) { return why_undefined(Check::shift_too_wide, "bitfield"); }};
constexpr Domain quotient{
    Check::division_by_zero, may_have_no_quotient, [](Conditions& c) { return c.no_quotient(); },
    [](const Op& op) {
      return why_undefined(Check::division_by_zero, is_signed(op.type) ? "signed" : "unsigned");
    }};
constexpr Domain conversion{
    Check::conversion_range,
    [](const Op& op, Registers) { return is_float(op.from) && is_whole(op.type); },
    [](Conditions& c) { return c.not_convertible(); },
    [](const Op&) { return why_undefined(Check::conversion_range, "conversion"); }};

constexpr Domain limits =
    of_function([](Conditions& c) { return c.less(c.operand(2), c.operand(1)); }, may_be_swapped);
constexpr Domain negative =
    of_function([](Conditions& c) { return c.less(c.operand(0), c.number(0)); });
constexpr Domain not_positive =
    of_function([](Conditions& c) { return c.less_equal(c.operand(0), c.number(0)); });
constexpr Domain outside_one = of_function([](Conditions& c) {
  return c.either(c.less(c.number(1), c.operand(0)), c.less(c.operand(0), c.number(-1)));
});
constexpr Domain below_one =
    of_function([](Conditions& c) { return c.less(c.operand(0), c.number(1)); });
constexpr Domain not_inside_one = of_function([](Conditions& c) {
  return c.either(c.less_equal(c.number(1), c.operand(0)),
                  c.less_equal(c.operand(0), c.number(-1)));
});
constexpr Domain both_zero = of_function([](Conditions& c) {
  return c.both(c.equal(c.operand(0), c.number(0)), c.equal(c.operand(1), c.number(0)));
});
/// Of a negative base, or of zero to a power that is not positive.
constexpr Domain power = of_function([](Conditions& c) {
  const Reg zero = c.number(0), base = c.operand(0);
  return c.either(c.less(base, zero),
                  c.both(c.equal(base, zero), c.less_equal(c.operand(1), zero)));
});
constexpr Domain edges =
    of_function([](Conditions& c) { return c.less_equal(c.operand(1), c.operand(0)); });
constexpr Domain exponent = of_function([](Conditions& c) {
  const Scalar type = c.op().type;
  const double most = type == Scalar::f64 ? 1024 : type == Scalar::f32 ? 128 : 16;
  return c.less(Scalar::i32, c.number(Scalar::i32, most), c.operand(1));
});

}  // namespace domain

/// In the order of Code.
constexpr const Domain* domains[] = {
#define LOCKSTEP_ROW(code, text, instructions, numbers, operands, result, undefined, decided, \
                     precision, bounds, cost)                                                 \
  &domain::undefined,
    LOCKSTEP_PURE_OPERATIONS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
};
const Domain& domain_of(Code code) { return *domains[static_cast<std::size_t>(code)]; }

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

Check domain_rule(Code code) { return domain_of(code).rule; }

bool has_domain(const Op& op, std::span<const RegInfo> regs) {
  return domain_of(op.code).may_leave(op, regs);
}

std::optional<OutsideDomain> emit_domain(const Op& op, Ir& ir, const Emit& emit,
                                         Constants& constants) {
  if (!has_domain(op, ir.regs)) return std::nullopt;
  Conditions c(op, ir, emit, constants);
  const Domain& domain = domain_of(op.code);
  return OutsideDomain{domain.outside(c), domain.why(op)};
}

std::optional<UndefinedBetweenLanes> undefined_rule(const Op& op) {
  if (!is_subgroup(op.code)) return std::nullopt;
  const spec::BuiltIn& built_in = spec::function(name_of(op));
  const spec::UndefinedRule& rule = built_in.rule;
  // No integer is NaN.
  if (!rule.breaks || (rule.breaks == Check::all_nan && !is_float(op.type))) return std::nullopt;
  const std::string name(op.written_as != nullptr ? op.written_as : built_in.name);
  UndefinedBetweenLanes found{*rule.breaks, why_undefined(*rule.breaks, name)};
  found.is_relative = rule.past_edge;
  if (rule.past_edge) found.what_outside = why_undefined(Check::shuffle_past_edge, name);
  return found;
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
