#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "oracle/operations.hpp"
#include "spirv/exec/allow_args.hpp"
#include "spirv/exec/ops/chunk.hpp"
#include "spirv/ir/comparisons.hpp"
#include "spirv/ir/operation_text.hpp"

/// \file
/// Values that conforming devices may have: operations without side effects.

namespace lockstep::spirv {
namespace {

using oracle::Allowed;
using oracle::Answer;
using oracle::Rules;
using oracle::Why;
using Kind = Allowed::Kind;

constexpr std::size_t most_operands = 4;

/// One lane's operands and result.
struct Lane {
  const Op& op;
  Rules rules;
  Scalar source = Scalar::u32;  ///< the type of the first operand's register
  std::size_t count = 0;
  std::array<Allowed, most_operands> operands = {};
  std::array<std::uint64_t, most_operands> bits = {};
  std::uint64_t result = 0;

  Allowed open(Why why) const { return oracle::any(Kind::open, why, rules.origin); }
  Allowed undefined(Why why) const { return oracle::any(Kind::undefined, why, rules.origin); }
  /// A float operand as a number.
  Allowed number(std::size_t k, Scalar type) const {
    return oracle::operand(operands[k], oracle::from_bits(bits[k], format_of(type)), rules);
  }
};

// ---- Floats ----

using Unary = Allowed (*)(const Allowed&, const Rules&);
using Binary = Allowed (*)(const Allowed&, const Allowed&, const Rules&);
using Ternary = Allowed (*)(const Allowed&, const Allowed&, const Allowed&, const Rules&);

Unary unary_of(Code code) {
  switch (code) {
    case Code::neg:
      return oracle::negated;
    case Code::abs:
      return oracle::absolute;
    case Code::sign:
      return oracle::sign;
    case Code::floor:
      return oracle::floor;
    case Code::ceil:
      return oracle::ceil;
    case Code::trunc:
    case Code::modf_whole:
      return oracle::trunc;
    case Code::round:
      return oracle::round;
    case Code::round_even:
      return oracle::round_even;
    case Code::fract:
      return oracle::fract;
    case Code::modf_fraction:
      return oracle::fraction;
    case Code::radians:
      return oracle::radians;
    case Code::degrees:
      return oracle::degrees;
    case Code::frexp_fraction:
      return oracle::significand;
    case Code::quantize_f16:
      return oracle::quantized;
    default:
      return nullptr;
  }
}

const oracle::Function* function_of(Code code) {
  using oracle::Function;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (code) {
    case Code::sin: {
      static constexpr Function f{oracle::sin};
      return &f;
    }
    case Code::cos: {
      static constexpr Function f{oracle::cos};
      return &f;
    }
    case Code::tan: {
      static constexpr Function f{oracle::tan};
      return &f;
    }
    case Code::asin: {
      static constexpr Function f{oracle::asin, {-1, 1}};
      return &f;
    }
    case Code::acos: {
      static constexpr Function f{oracle::acos, {-1, 1}};
      return &f;
    }
    case Code::atan: {
      static constexpr Function f{oracle::atan};
      return &f;
    }
    case Code::sinh: {
      static constexpr Function f{oracle::sinh};
      return &f;
    }
    case Code::cosh: {
      static constexpr Function f{oracle::cosh};
      return &f;
    }
    case Code::tanh: {
      static constexpr Function f{oracle::tanh};
      return &f;
    }
    case Code::asinh: {
      static constexpr Function f{oracle::asinh};
      return &f;
    }
    case Code::acosh: {
      static constexpr Function f{oracle::acosh, {1, infinity}};
      return &f;
    }
    case Code::atanh: {
      static constexpr Function f{oracle::atanh, {-1, 1}, true, true};
      return &f;
    }
    case Code::exp: {
      static constexpr Function f{oracle::exp};
      return &f;
    }
    case Code::exp2: {
      static constexpr Function f{oracle::exp2};
      return &f;
    }
    case Code::log: {
      static constexpr Function f{oracle::log, {0, infinity}, true};
      return &f;
    }
    case Code::log2: {
      static constexpr Function f{oracle::log2, {0, infinity}, true};
      return &f;
    }
    case Code::sqrt: {
      static constexpr Function f{oracle::sqrt, {0, infinity}, true};
      return &f;
    }
    case Code::inverse_sqrt: {
      static constexpr Function f{oracle::inverse_sqrt, {0, infinity}, true};
      return &f;
    }
    default:
      return nullptr;
  }
}

Binary binary_of(Code code) {
  switch (code) {
    case Code::add:
      return oracle::add;
    case Code::sub:
      return oracle::subtract;
    case Code::mul:
      return oracle::multiply;
    case Code::div:
      return oracle::divide;
    case Code::mod:
      return oracle::modulo;
    case Code::rem:
      return oracle::remainder;
    case Code::min:
    case Code::nmin:
      return oracle::minimum;
    case Code::max:
    case Code::nmax:
      return oracle::maximum;
    case Code::atan2:
      return oracle::atan2;
    case Code::pow:
      return oracle::pow;
    case Code::step:
      return oracle::step;
    default:
      return nullptr;
  }
}

Ternary ternary_of(Code code) {
  switch (code) {
    case Code::fma:
      return oracle::fused;
    case Code::mix:
      return oracle::mix;
    case Code::clamp:
    case Code::nclamp:
      return oracle::clamp;
    case Code::smooth_step:
      return oracle::smooth_step;
    default:
      return nullptr;
  }
}

/// Under SignedZeroInfNanPreserve: the results of infinities and NaN that every device gives; none if the operation has
/// no such operands, or its result is not promised.
std::optional<Allowed> of_specials(const Lane& lane) {
  const Op& op = lane.op;
  const bool obeys =
      op.code == Code::neg || op.code == Code::add || op.code == Code::sub || op.code == Code::mul;
  if (!op.controls.keeps_specials || !obeys) return {};
  bool special = false;
  for (std::size_t k = 0; k < lane.count; ++k) {
    if (lane.operands[k].kind != Kind::exact) return {};
    const double x = oracle::from_bits(lane.bits[k], format_of(op.type));
    special = special || !std::isfinite(x);
    // A denormal may be flushed to zero first, and zero times infinity is NaN.
    if (lane.rules.precision.flushes && std::abs(x) < lane.rules.precision.format.smallest_normal &&
        x != 0)
      return {};
  }
  if (!special) return {};
  if (op.precise || op.code == Code::neg) return Allowed{};
  const double result = oracle::from_bits(lane.result, format_of(op.type));
  // A compiler may cancel a NaN against the surrounding operations.
  if (std::isnan(result)) return {};
  Allowed infinite = oracle::numbers(oracle::Interval::point(result), lane.rules.origin);
  infinite.real.terms = 2;
  return infinite;
}

Allowed of_floats(const Lane& lane) {
  const Op& op = lane.op;
  if (const auto special = of_specials(lane)) return *special;
  std::array<Allowed, most_operands> x;
  for (std::size_t k = 0; k < lane.count; ++k) {
    const Scalar type = op.code == Code::ldexp && k == 1 ? Scalar::i32 : op.type;
    if (!is_float(type)) continue;
    x[k] = lane.number(k, type);
    if (!x[k].is_number()) return x[k];
  }
  if (const Unary f = unary_of(op.code)) return f(x[0], lane.rules);
  if (const oracle::Function* f = function_of(op.code)) return oracle::apply(*f, x[0], lane.rules);
  if (const Binary f = binary_of(op.code)) return f(x[0], x[1], lane.rules);
  if (const Ternary f = ternary_of(op.code)) return f(x[0], x[1], x[2], lane.rules);
  if (op.code == Code::ldexp) {
    if (lane.operands[1].kind != Kind::exact) return lane.open(Why::conversion);
    const auto exponent = static_cast<std::int32_t>(static_cast<std::uint32_t>(lane.bits[1]));
    return oracle::scaled(x[0], exponent, lane.rules);
  }
  return lane.open(Why::bits);
}

// ---- Comparisons and tests ----

/// Whether an operand is NaN on every device, and no device may assume that there is none.
bool has_nan(const Lane& lane) {
  if (!lane.op.controls.keeps_specials) return false;
  for (std::size_t k = 0; k < lane.count; ++k) {
    if (lane.operands[k].kind == Kind::exact &&
        std::isnan(oracle::from_bits(lane.bits[k], format_of(lane.op.type))))
      return true;
  }
  return false;
}

Allowed compared(const Lane& lane) {
  if (has_nan(lane)) return {};
  const Allowed a = lane.number(0, lane.op.type), b = lane.number(1, lane.op.type);
  if (!a.is_number()) return a;
  if (!b.is_number()) return b;
  Answer answer = Answer::either;
  if (lane.op.code == Code::less) answer = oracle::less(a, b, lane.rules);
  if (lane.op.code == Code::less_equal) answer = oracle::less_equal(a, b, lane.rules);
  if (lane.op.code == Code::equal || lane.op.code == Code::not_equal)
    answer = oracle::equal(a, b, lane.rules);
  return answer == Answer::either ? lane.open(Why::comparison) : Allowed{};
}

Allowed tested(const Lane& lane) {
  if (lane.op.controls.keeps_specials && lane.operands[0].kind == Kind::exact) return {};
  const Allowed a = lane.number(0, lane.op.type);
  if (!a.is_number()) return a;
  return a.values.is_finite() ? Allowed{} : lane.undefined(Why::special);
}

Allowed exponent_of(const Lane& lane) {
  const Allowed a = lane.number(0, lane.op.type);
  if (!a.is_number()) return a;
  const Allowed part = oracle::significand(a, lane.rules);
  const bool same = part.is_number() && a.values.is_point() &&
                    std::abs(a.values.low) >= lane.rules.precision.format.smallest_normal;
  return same || a.values == oracle::Interval::point(0) ? Allowed{} : lane.open(Why::conversion);
}

// ---- Conversions ----

double integer_value(std::uint64_t bits, Scalar type) {
  const unsigned unused = 64 - 8 * size_of(type);
  if (!is_signed(type)) return static_cast<double>(bits);
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}
oracle::Interval range_of(Scalar type) {
  const int width = static_cast<int>(8 * size_of(type));
  if (is_signed(type)) return {-std::ldexp(1.0, width - 1), std::ldexp(1.0, width - 1) - 1};
  return {0, std::ldexp(1.0, width) - 1};
}

Allowed to_float(const Lane& lane) {
  const Scalar from = lane.op.from;
  if (is_float(from)) {
    const bool special = !std::isfinite(oracle::from_bits(lane.bits[0], format_of(from)));
    if (special && lane.op.controls.keeps_specials && lane.operands[0].kind == Kind::exact)
      return {};
    const Allowed a = lane.number(0, from);
    if (!a.is_number()) return a;
    // A denormal of the operand's format may be a normal number of the result's.
    const oracle::Precision before{format_of(from), lane.rules.precision.flushes};
    return oracle::converted(oracle::flushed(a.values, before), lane.rules);
  }
  if (lane.operands[0].kind == Kind::within)
    return oracle::converted(lane.operands[0].values, lane.rules);
  if (lane.operands[0].kind != Kind::exact) return lane.operands[0];
  if (from == Scalar::boolean) return {};
  const std::uint64_t bits = lane.bits[0];
  // Of 64 bits some are lost.
  const double nearest = integer_value(bits, from);
  oracle::Interval exact = oracle::Interval::point(nearest);
  if (size_of(from) == 8 && std::abs(nearest) > 0x1p53)
    exact = {std::nextafter(nearest, -HUGE_VAL), std::nextafter(nearest, HUGE_VAL)};
  return oracle::converted(exact, lane.rules);
}

Allowed converted(const Lane& lane) {
  const Op& op = lane.op;
  if (is_float(op.type)) return to_float(lane);
  if (is_float(op.from)) {
    const Allowed a = lane.number(0, op.from);
    if (!a.is_number()) return a;
    if (op.type == Scalar::boolean) return lane.open(Why::conversion);
    const oracle::Interval range = range_of(op.type);
    return oracle::to_integer(a, range.low, range.high, lane.rules);
  }
  const Allowed& a = lane.operands[0];
  if (a.kind != Kind::within) return a;
  if (op.type == Scalar::boolean) return lane.open(Why::conversion);
  const oracle::Interval range = range_of(op.type);
  return range.contains(a.values.low) && range.contains(a.values.high) ? a
                                                                       : lane.open(Why::conversion);
}

/// The same bits as another type.
Allowed reinterpreted(const Lane& lane) {
  const Op& op = lane.op;
  const Allowed& a = lane.operands[0];
  if (op.code == Code::copy && is_float(op.type) == is_float(lane.source)) return a;
  if (a.kind != Kind::within) return a;
  // A zero may have either sign.
  if (is_float(lane.source) && a.values.is_point() && a.values.low != 0) return {};
  return lane.open(Why::bits);
}

// ---- Packing ----

/// Numbers that are integers in units of the packed format have one result.
Allowed packed(const Lane& lane) {
  const bool half = lane.op.code == Code::pack_half_2x16;
  const bool words = lane.op.code == Code::pack_unorm_2x16 || lane.op.code == Code::pack_snorm_2x16;
  const bool with_sign =
      lane.op.code == Code::pack_snorm_4x8 || lane.op.code == Code::pack_snorm_2x16;
  const double most = words ? (with_sign ? 32767 : 65535) : (with_sign ? 127 : 255);
  for (std::size_t k = 0; k < lane.count; ++k) {
    const Allowed a = lane.number(k, Scalar::f32);
    if (!a.is_number()) return a;
    if (!a.values.is_point()) return lane.open(Why::conversion);
    const double x = a.values.low;
    const bool same =
        half ? oracle::round_down(x, oracle::float16) == x &&
                   (x == 0 || std::abs(x) >= oracle::float16.smallest_normal)
             : x * most == std::floor(x * most) || std::abs(x) >= 1 || (x < 0 && !with_sign);
    if (!same) return lane.open(Why::conversion);
  }
  return {};
}

Allowed unpacked(const Lane& lane) {
  const Allowed& a = lane.operands[0];
  if (a.kind == Kind::within) return lane.open(Why::bits);
  if (a.kind != Kind::exact) return a;
  const double value = oracle::from_bits(lane.result, oracle::float32);
  const oracle::Precision& precision = lane.rules.precision;
  if (lane.op.code == Code::unpack_half_2x16) {
    if (std::isnan(value)) return lane.undefined(Why::special);
    const bool denormal = std::abs(value) < oracle::float16.smallest_normal && value != 0;
    const auto numbers = oracle::Interval::point(value);
    return oracle::numbers(denormal ? oracle::hull(numbers, oracle::Interval::point(0)) : numbers,
                           lane.rules.origin);
  }
  if (value == 0 || std::abs(value) == 1)
    return oracle::numbers(oracle::Interval::point(value), lane.rules.origin);
  return oracle::numbers(oracle::within_ulps(oracle::Interval::point(value), 3.5, precision),
                         lane.rules.origin);
}

// ---- Integers and bools ----

/// The weakest operand, which makes the result as weak.
Allowed of_integers(const Lane& lane) {
  Allowed all;
  for (std::size_t k = 0; k < lane.count; ++k) {
    Allowed a = lane.operands[k];
    if (a.kind == Kind::within) a = oracle::any(Kind::open, Why::conversion, a.origin);
    // One operand may decide alone.
    const bool decides =
        a.kind == Kind::exact && lane.count == 2 &&
        ((lane.op.code == Code::band && lane.bits[k] == 0) ||
         (lane.op.code == Code::mul && lane.bits[k] == 0) ||
         (lane.op.code == Code::bor && lane.op.type == Scalar::boolean && lane.bits[k] != 0));
    if (decides) return {};
    all = oracle::weaker(all, a);
  }
  return all;
}

/// The chosen operand, or one of both.
Allowed selected(const Lane& lane) {
  const Allowed& condition = lane.operands[0];
  if (condition.kind == Kind::exact) return lane.operands[lane.bits[0] != 0 ? 1 : 2];
  if (lane.bits[1] == lane.bits[2] && lane.operands[1].kind == Kind::exact &&
      lane.operands[2].kind == Kind::exact)
    return {};
  if (!is_float(lane.op.type) || condition.kind != Kind::open) return condition;
  const Allowed a = lane.number(1, lane.op.type), b = lane.number(2, lane.op.type);
  if (a.kind != Kind::within || b.kind != Kind::within)
    return oracle::weaker(condition, oracle::weaker(a, b));
  return oracle::numbers(oracle::hull(a.values, b.values), condition.origin);
}

Allowed of_lane(const Lane& lane) {
  const Op& op = lane.op;
  switch (op.code) {
    case Code::select:
      return selected(lane);
    case Code::convert:
      return converted(lane);
    case Code::copy:
    case Code::extract_piece:
    case Code::join_pieces:
      return op.code == Code::join_pieces ? of_integers(lane) : reinterpreted(lane);
    case Code::is_nan:
    case Code::is_inf:
      return tested(lane);
    case Code::frexp_exponent:
      return exponent_of(lane);
    case Code::pack_unorm_4x8:
    case Code::pack_snorm_4x8:
    case Code::pack_unorm_2x16:
    case Code::pack_snorm_2x16:
    case Code::pack_half_2x16:
      return packed(lane);
    case Code::unpack_unorm_4x8:
    case Code::unpack_snorm_4x8:
    case Code::unpack_unorm_2x16:
    case Code::unpack_snorm_2x16:
    case Code::unpack_half_2x16:
      return unpacked(lane);
    default:
      break;
  }
  if (!is_float(op.type)) return of_integers(lane);
  return is_comparison(op.code) ? compared(lane) : of_floats(lane);
}

double number_of(std::uint64_t bits, Scalar type) {
  if (is_float(type)) return oracle::from_bits(bits, format_of(type));
  return type == Scalar::boolean ? static_cast<double>(bits & 1) : integer_value(bits, type);
}

/// Keeps how a result that is not exact came about.
void keep_step(oracle::History& history, const AllowArgs& args, const Lane& lane, Allowed& result) {
  const bool passes_on = lane.op.code == Code::copy || lane.op.code == Code::select;
  if (result.kind == Kind::exact || passes_on) return;
  oracle::Step step{.origin = args.allow.origin,
                    .operation = operation_text(lane.op),
                    .value = number_of(lane.result, args.types[lane.count]),
                    .allowed = result,
                    .operands = {}};
  for (std::size_t k = 0; k < lane.count; ++k)
    step.operands.push_back({lane.operands[k].step, number_of(lane.bits[k], args.types[k])});
  result.step = history.add(std::move(step));
}

const Inst* compute(const Inst* i, Context& c) {
  const auto& args = *static_cast<const AllowArgs*>(i->args);
  const Op& op = *args.allow.of;
  Lane lane{op, {}};
  lane.count = op.src.size();
  lane.source = args.types[0];
  const Scalar format = is_float(op.type) ? op.type : is_float(op.from) ? op.from : Scalar::f32;
  lane.rules = {.precision = {format_of(format), !op.controls.keeps_denormals, op.controls.nearest},
                .precise = op.precise,
                .relaxed = op.relaxed && op.type == Scalar::f32,
                .origin = args.allow.origin};
  const Slot& outside = args.slots.back();
  for_each_lane(c.state.active, [&](int n) {
    for (std::size_t k = 0; k < lane.count; ++k) {
      lane.bits[k] = get_bits(c, args.slots[k], args.types[k], n);
      lane.operands[k] = get_allowed(c, args.slots[lane.count + 1 + k], n);
    }
    lane.result = get_bits(c, args.slots[lane.count], args.types[lane.count], n);
    const bool undefined = outside.at != nowhere && get_bits(c, outside, Scalar::boolean, n) != 0;
    Allowed result = undefined ? lane.undefined(Why::domain) : of_lane(lane);
    if (c.history != nullptr) keep_step(*c.history, args, lane, result);
    put_allowed(c, args.results[0], n, result);
  });
  return i + 1;
}

}  // namespace

Run find_allow_compute() { return compute; }

}  // namespace lockstep::spirv
