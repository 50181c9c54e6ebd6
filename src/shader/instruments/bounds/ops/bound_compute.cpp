#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "oracle/operations.hpp"
#include "shader/ir/operation_text.hpp"
#include "shader/ir/operations.hpp"
#include "shader/run/bound_args.hpp"
#include "shader/run/ops/chunk.hpp"

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

/// Of an operation on floats: `of` makes the result of its operands, where those are numbers.
template <class F>
Allowed of_floats(const Lane& lane, F of) {
  const Op& op = lane.op;
  if (const auto special = of_specials(lane)) return *special;
  std::array<Allowed, most_operands> x;
  for (std::size_t k = 0; k < lane.count; ++k) {
    // The exponent of ldexp is an integer.
    if (operation_of(op.code).operands.each[k].kind == Operand::Kind::fixed) continue;
    x[k] = lane.number(k, op.type);
    if (!x[k].is_number()) return x[k];
  }
  return of(x);
}

Allowed scaled(const Lane& lane, const Allowed& number) {
  if (lane.operands[1].kind != Kind::exact) return lane.open(Why::conversion);
  const auto exponent = static_cast<std::int32_t>(static_cast<std::uint32_t>(lane.bits[1]));
  return oracle::scaled(number, exponent, lane.rules);
}

/// Of a number that DenormFlushToZero makes zero if it is denormal. That is promised of results; of operands a device
/// may do either, and the operation that follows has no use for `normal`.
Allowed flushed(const Lane& lane) {
  const oracle::Format& format = lane.rules.precision.format;
  Allowed a = lane.number(0, lane.op.type);
  if (lane.operands[0].kind == Kind::exact) {
    const double x = oracle::from_bits(lane.bits[0], format);
    if (x == 0 || !(std::abs(x) < format.smallest_normal)) return {};
  }
  if (a.kind != Kind::within) return a;
  a.values = oracle::flushed(a.values, {.format = format});
  a.real.flushes = true;
  a.normal = true;
  return a;
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

template <class F>
Allowed compared(const Lane& lane, F answer) {
  if (has_nan(lane)) return {};
  const Allowed a = lane.number(0, lane.op.type), b = lane.number(1, lane.op.type);
  if (!a.is_number()) return a;
  if (!b.is_number()) return b;
  return answer(a, b, lane.rules) == Answer::either ? lane.open(Why::comparison) : Allowed{};
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
    Allowed number = oracle::converted(oracle::flushed(a.values, before), lane.rules);
    number.whole = number.kind == Kind::within && oracle::is_whole(a);
    return number;
  }
  if (lane.operands[0].kind == Kind::within) {
    Allowed number = oracle::converted(lane.operands[0].values, lane.rules);
    number.whole = number.kind == Kind::within;
    return number;
  }
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

/// What an operation packs, or unpacks.
oracle::Pieces packed_by(Code code) {
  using enum oracle::Pieces::Kind;
  struct Row {
    Code packs, unpacks;
    oracle::Pieces pieces;
  };
  constexpr Row rows[] = {
      {Code::pack_half_2x16, Code::unpack_half_2x16, {.kind = halves, .count = 2}},
      {Code::pack_unorm_2x16, Code::unpack_unorm_2x16, {.kind = unsigned_fractions, .count = 2}},
      {Code::pack_snorm_2x16, Code::unpack_snorm_2x16, {.kind = signed_fractions, .count = 2}},
      {Code::pack_unorm_4x8, Code::unpack_unorm_4x8, {.kind = unsigned_fractions, .count = 4}},
      {Code::pack_snorm_4x8, Code::unpack_snorm_4x8, {.kind = signed_fractions, .count = 4}},
  };
  for (const Row& row : rows)
    if (row.packs == code || row.unpacks == code) return row.pieces;
  return {};
}

/// Of each number either neighbour, unless it is one of the packed format's.
Allowed packed(const Lane& lane) {
  oracle::Pieces pieces = packed_by(lane.op.code);
  bool exact = true;
  for (std::size_t k = 0; k < lane.count; ++k) {
    const Allowed a = lane.number(k, Scalar::f32);
    if (!a.is_number()) return a;
    pieces.set(k, a.values);
    // A zero may have either sign.
    const bool has_sign = pieces.kind != oracle::Pieces::Kind::halves || pieces.low[k] != 0 ||
                          lane.operands[k].kind == Kind::exact;
    exact = exact && pieces.is_exact(k) && has_sign;
  }
  return exact ? Allowed{} : oracle::word_of(pieces, lane.rules.origin);
}

/// One component of a word.
Allowed unpacked(const Lane& lane) {
  const Allowed& a = lane.operands[0];
  const oracle::Precision& precision = lane.rules.precision;
  const oracle::Pieces unpacks = packed_by(lane.op.code);
  const bool half = unpacks.kind == oracle::Pieces::Kind::halves;
  const double value = oracle::from_bits(lane.result, oracle::float32);
  oracle::Interval numbers = oracle::Interval::point(value);
  if (a.kind == Kind::within) {
    if (a.pieces.kind != unpacks.kind || a.pieces.count != unpacks.count)
      return lane.open(Why::bits);
    numbers = a.pieces.numbers(lane.op.as<Piece>().number);
  } else if (a.kind != Kind::exact) {
    return a;
  }
  if (half) {
    if (std::isnan(value)) return lane.undefined(Why::special);
    return oracle::numbers(oracle::flushed(numbers, {.format = oracle::float16}),
                           lane.rules.origin);
  }
  if (numbers.is_point() && (value == 0 || std::abs(value) == 1))
    return oracle::numbers(numbers, lane.rules.origin);
  return oracle::numbers(oracle::within_ulps(numbers, 3.5, precision), lane.rules.origin);
}

// ---- Integers and bools ----

/// The weakest operand, which makes the result as weak.
Allowed of_integers(const Lane& lane) {
  Allowed all;
  for (std::size_t k = 0; k < lane.count; ++k) {
    Allowed a = lane.operands[k];
    if (a.kind == Kind::within) a = oracle::any(Kind::open, Why::conversion, a.origin);
    if (a.kind == Kind::exact && can_decide(lane.op) &&
        (lane.bits[k] != 0) == (operation_of(lane.op.code).decided == Decides::truth))
      return {};
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
  Allowed either = oracle::numbers(oracle::hull(a.values, b.values), condition.origin);
  either.whole = oracle::is_whole(a) && oracle::is_whole(b);
  return either;
}

// ---- The rules of rows ----

using Bounds = Allowed (*)(const Lane&);

using Unary = Allowed (*)(const Allowed&, const Rules&);
using Binary = Allowed (*)(const Allowed&, const Allowed&, const Rules&);
using Ternary = Allowed (*)(const Allowed&, const Allowed&, const Allowed&, const Rules&);
using Compare = Answer (*)(const Allowed&, const Allowed&, const Rules&);

// On floats what the oracle says; on integers and bools as the weakest operand.
template <Unary of>
Allowed unary(const Lane& lane) {
  if (!is_float(lane.op.type)) return of_integers(lane);
  return of_floats(lane, [&](const auto& x) { return of(x[0], lane.rules); });
}
template <Binary of>
Allowed binary(const Lane& lane) {
  if (!is_float(lane.op.type)) return of_integers(lane);
  return of_floats(lane, [&](const auto& x) { return of(x[0], x[1], lane.rules); });
}
template <Ternary of>
Allowed ternary(const Lane& lane) {
  if (!is_float(lane.op.type)) return of_integers(lane);
  return of_floats(lane, [&](const auto& x) { return of(x[0], x[1], x[2], lane.rules); });
}
template <Compare of>
Allowed comparison(const Lane& lane) {
  return is_float(lane.op.type) ? compared(lane, of) : of_integers(lane);
}
template <const oracle::Function& of>
Allowed function(const Lane& lane) {
  return of_floats(lane, [&](const auto& x) { return oracle::apply(of, x[0], lane.rules); });
}

/// Functions of GLSL.std.450 with their domains.
namespace functions {

using oracle::Function;
using oracle::Interval;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Interval unit{-1, 1}, positive{0, infinity};

constexpr Function sin{oracle::sin}, cos{oracle::cos}, tan{oracle::tan};
constexpr Function asin{oracle::asin, unit}, acos{oracle::acos, unit}, atan{oracle::atan};
constexpr Function sinh{oracle::sinh}, cosh{oracle::cosh}, tanh{oracle::tanh};
constexpr Function asinh{oracle::asinh}, acosh{oracle::acosh, {1, infinity}};
constexpr Function atanh{oracle::atanh, unit, true, true};
constexpr Function exp{oracle::exp}, exp2{oracle::exp2};
constexpr Function log{oracle::log, positive, true}, log2{oracle::log2, positive, true};
constexpr Function sqrt{oracle::sqrt_from_zero, positive};
constexpr Function inverse_sqrt{oracle::inverse_sqrt, positive, true};

}  // namespace functions

/// What the column `bounds` names.
namespace bounds {

constexpr Bounds bits_as_another_type = reinterpreted, selection = selected, conversion = converted;
constexpr Bounds integers = of_integers, special = tested, exponent = exponent_of;
constexpr Bounds flushed = spirv::flushed;
constexpr Bounds packed = spirv::packed, unpacked = spirv::unpacked;
constexpr Bounds equal = comparison<oracle::equal>, less = comparison<oracle::less>,
                 less_equal = comparison<oracle::less_equal>;
constexpr Bounds add = binary<oracle::add>, subtract = binary<oracle::subtract>,
                 multiply = binary<oracle::multiply>, divide = binary<oracle::divide>,
                 modulo = binary<oracle::modulo>, remainder = binary<oracle::remainder>;
constexpr Bounds fused = ternary<oracle::fused>, mix = ternary<oracle::mix>;
constexpr Bounds negated = unary<oracle::negated>, absolute = unary<oracle::absolute>,
                 sign = unary<oracle::sign>;
constexpr Bounds minimum = binary<oracle::minimum>, maximum = binary<oracle::maximum>,
                 clamp = ternary<oracle::clamp>;
constexpr Bounds step = binary<oracle::step>, smooth_step = ternary<oracle::smooth_step>;
constexpr Bounds floor = unary<oracle::floor>, ceil = unary<oracle::ceil>,
                 trunc = unary<oracle::trunc>, round = unary<oracle::round>,
                 round_even = unary<oracle::round_even>, fract = unary<oracle::fract>,
                 fraction = unary<oracle::fraction>;
constexpr Bounds radians = unary<oracle::radians>, degrees = unary<oracle::degrees>;
constexpr Bounds significand = unary<oracle::significand>, quantized = unary<oracle::quantized>;
constexpr Bounds scaled = [](const Lane& lane) {
  return of_floats(lane, [&](const auto& x) { return spirv::scaled(lane, x[0]); });
};
constexpr Bounds sin = function<functions::sin>, cos = function<functions::cos>,
                 tan = function<functions::tan>, asin = function<functions::asin>,
                 acos = function<functions::acos>, atan = function<functions::atan>;
constexpr Bounds sinh = function<functions::sinh>, cosh = function<functions::cosh>,
                 tanh = function<functions::tanh>, asinh = function<functions::asinh>,
                 acosh = function<functions::acosh>, atanh = function<functions::atanh>;
constexpr Bounds exp = function<functions::exp>, exp2 = function<functions::exp2>,
                 log = function<functions::log>, log2 = function<functions::log2>,
                 sqrt = function<functions::sqrt>, inverse_sqrt = function<functions::inverse_sqrt>;
constexpr Bounds atan2 = binary<oracle::atan2>, pow = binary<oracle::pow>;

}  // namespace bounds

/// In the order of Code.
constexpr Bounds bounds_of[] = {
#define LOCKSTEP_ROW(code, text, instructions, numbers, operands, result, undefined, decided, \
                     precision, bound, cost)                                                  \
  bounds::bound,
    LOCKSTEP_PURE_OPERATIONS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
};

double number_of(std::uint64_t bits, Scalar type) {
  if (is_float(type)) return oracle::from_bits(bits, format_of(type));
  return type == Scalar::boolean ? static_cast<double>(bits & 1) : integer_value(bits, type);
}

/// Keeps how a result that is not exact came about.
void keep_step(oracle::Provenance& provenance, const BoundArgs& args, const Lane& lane,
               Allowed& result) {
  const bool passes_on =
      lane.op.code == Code::copy || lane.op.code == Code::select || lane.op.code == Code::flush;
  if (result.kind == Kind::exact || passes_on) return;
  oracle::Step step{.origin = args.bound.origin,
                    .operation = operation_text(lane.op),
                    .value = number_of(lane.result, args.types[lane.count]),
                    .allowed = result,
                    .operands = {}};
  for (std::size_t k = 0; k < lane.count; ++k)
    step.operands.push_back({lane.operands[k].step, number_of(lane.bits[k], args.types[k])});
  result.step = provenance.add(std::move(step));
}

const Inst* compute(const Inst* i, Context& c) {
  const auto& args = *static_cast<const BoundArgs*>(i->args);
  const Op& op = *args.bound.of;
  Lane lane{op, {}};
  lane.count = op.src.size();
  lane.source = args.types[0];
  const Scalar format = is_float(op.type) ? op.type : is_float(op.from) ? op.from : Scalar::f32;
  lane.rules = {.precision = {.format = format_of(format),
                              .flushes = !op.controls.keeps_denormals,
                              .nearest = op.controls.nearest,
                              .to_zero = op.controls.to_zero},
                .precise = op.precise,
                .relaxed = op.relaxed && op.type == Scalar::f32,
                .origin = args.bound.origin};
  const Slot& outside = args.slots.back();
  const Bounds of_lane = bounds_of[static_cast<std::size_t>(op.code)];
  for_each_lane(c.state.active, [&](int n) {
    for (std::size_t k = 0; k < lane.count; ++k) {
      lane.bits[k] = get_bits(c, args.slots[k], args.types[k], n);
      lane.operands[k] = get_allowed(c, args.slots[lane.count + 1 + k], n);
    }
    lane.result = get_bits(c, args.slots[lane.count], args.types[lane.count], n);
    const bool undefined = outside.at != nowhere && get_bits(c, outside, Scalar::boolean, n) != 0;
    Allowed result = undefined ? lane.undefined(Why::domain) : of_lane(lane);
    if (c.provenance != nullptr) keep_step(*c.provenance, args, lane, result);
    put_allowed(c, args.results[0], n, result);
  });
  return i + 1;
}

}  // namespace

Run find_bound_compute() { return compute; }

}  // namespace lockstep::spirv
