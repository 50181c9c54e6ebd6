#include "oracle/operations.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "oracle/formulas.hpp"

/// \file
/// Each operation on intervals against a device that moves exact results as far as Vulkan allows.

namespace {

using namespace lockstep::oracle;
using lockstep::oracle_test::all_formulas;
using lockstep::oracle_test::Formula;
using lockstep::oracle_test::LegalDevice;
using lockstep::oracle_test::Real;
using lockstep::oracle_test::Undefined;
using Kind = Allowed::Kind;

/// Where operands come from: magnitudes between powers of two.
struct Range {
  int low = -8, high = 8;
  bool negative = true;
};

struct Case {
  std::string name;  ///< of its formula
  std::vector<Range> operands;
  std::function<Allowed(const std::vector<Allowed>&, const Rules&)> oracle;
  bool has_double = true;  ///< the instruction exists for 64 bits
  int half_high = 8;       ///< of 16 bits: the largest exponent of operands
};

Function function(Interval (*of)(const Interval&, const Precision&)) { return {of}; }

using A = const std::vector<Allowed>&;
using R = const Rules&;

std::vector<Case> cases() {
  const Range any{-30, 30}, tame{-6, 6}, positive{-6, 6, false}, unit{-6, -1}, angle{-6, 1};
  const auto unary = [](std::string name, Range range,
                        Interval (*of)(const Interval&, const Precision&)) {
    return Case{std::move(name),
                {range},
                [of](A a, R rules) { return apply(function(of), a[0], rules); },
                false};
  };
  return {
      {"add", {any, any}, [](A a, R r) { return add(a[0], a[1], r); }},
      {"subtract", {any, any}, [](A a, R r) { return subtract(a[0], a[1], r); }},
      {"multiply", {any, any}, [](A a, R r) { return multiply(a[0], a[1], r); }, true, 7},
      {"divide", {tame, tame}, [](A a, R r) { return divide(a[0], a[1], r); }},
      {"divide by reciprocal", {tame, tame}, [](A a, R r) { return divide(a[0], a[1], r); }},
      {"fma", {tame, tame, tame}, [](A a, R r) { return fused(a[0], a[1], a[2], r); }},
      {"mix", {tame, tame, unit}, [](A a, R r) { return mix(a[0], a[1], a[2], r); }},
      {"radians", {tame}, [](A a, R r) { return radians(a[0], r); }},
      {"degrees", {tame}, [](A a, R r) { return degrees(a[0], r); }},
      {"mod", {tame, positive}, [](A a, R r) { return modulo(a[0], a[1], r); }},
      {"remainder", {tame, positive}, [](A a, R r) { return remainder(a[0], a[1], r); }},
      {"fract", {tame}, [](A a, R r) { return fract(a[0], r); }},
      {"clamp",
       {tame, {-6, -2}, {2, 6, false}},
       [](A a, R r) { return clamp(a[0], a[1], a[2], r); }},
      {"pow", {positive, {-4, 1}}, [](A a, R r) { return pow(a[0], a[1], r); }, false},
      {"atan2", {tame, tame}, [](A a, R r) { return atan2(a[0], a[1], r); }, false},
      {"smoothstep",
       {{-6, -2}, {2, 6, false}, tame},
       [](A a, R r) { return smooth_step(a[0], a[1], a[2], r); }},
      {"times eight", {tame}, [](A a, R r) { return scaled(a[0], 3, r); }},
      unary("exp", {-6, 2}, exp),
      unary("exp2", {-6, 2}, exp2),
      unary("log", positive, log),
      unary("log2", positive, log2),
      unary("sqrt", positive, sqrt),
      unary("inversesqrt", positive, inverse_sqrt),
      unary("sin", angle, sin),
      unary("cos", angle, cos),
      unary("tan", {-6, -1}, tan),
      unary("asin", unit, asin),
      unary("acos", unit, acos),
      unary("atan", tame, atan),
      unary("sinh", {-6, 1}, sinh),
      unary("cosh", {-6, 1}, cosh),
      unary("tanh", {-6, 1}, tanh),
      unary("asinh", {-6, 2, false}, asinh),
      unary("acosh", {1, 3, false}, acosh),
      unary("atanh", unit, atanh),
  };
}

double number_in(const Range& range, int most, LegalDevice& device) {
  const double exponent = range.low + device.share() * (std::min(range.high, most) - range.low);
  const double magnitude = std::exp2(exponent);
  const bool negative = range.negative && device.coin();
  return round_down(negative ? -magnitude : magnitude, device.format());
}

/// A number that is known, or known to lie between two.
Allowed operand_around(double x, LegalDevice& device) {
  if (device.coin()) return numbers(Interval::point(x), 0);
  const double width = device.coin() ? 4 * device.format().epsilon : 0.25;
  const double other = round_down(x * (1 + width * device.share()), device.format());
  return numbers({std::min(x, other), std::max(x, other)}, 0);
}

double one_of(const Interval& values, LegalDevice& device) {
  const double share = device.share();
  if (share < 0.3) return values.low;
  if (share < 0.6) return values.high;
  return std::clamp(round_down(values.low + share * (values.high - values.low), device.format()),
                    values.low, values.high);
}

void check(const Case& test, const Format& format, bool precise) {
  LegalDevice device(format, std::hash<std::string>()(test.name));
  const Rules rules{.precision = {format}, .precise = precise};
  const Formula& formula = all_formulas().at(test.name);
  int bounded = 0;
  constexpr int times = 1500;
  for (int k = 0; k < times; ++k) {
    std::vector<Allowed> operands;
    std::vector<Real> values;
    for (const Range& range : test.operands) {
      const int most = format.bytes == 2 ? test.half_high : range.high;
      operands.push_back(operand_around(number_in(range, most, device), device));
      values.emplace_back(one_of(operands.back().values, device));
    }
    const Allowed allowed = test.oracle(operands, rules);
    if (allowed.kind != Kind::within) continue;
    ++bounded;
    try {
      const Real got = formula(values, device);
      INFO(test.name << ", " << format.bytes << " bytes: " << got << " for " << values[0]
                     << ", not in [" << allowed.values.low << ", " << allowed.values.high << "]");
      REQUIRE((got >= allowed.values.low && got <= allowed.values.high));
    } catch (const Undefined&) {
    }
  }
  INFO(test.name << ", " << format.bytes << " bytes");
  CHECK(bounded > times / 3);
}

TEST_CASE("a device that uses every freedom stays inside the bounds of an operation") {
  for (const Case& test : cases()) {
    const bool reciprocal = test.name == "divide by reciprocal";
    check(test, float32, false);
    check(test, float16, false);
    if (test.has_double) check(test, float64, false);
    // Under `precise` a quotient is no product.
    if (!reciprocal) check(test, float32, true);
  }
}

TEST_CASE("bounds of single operations on known operands are as narrow as Vulkan's") {
  const Rules rules{.precise = true};
  const auto point = [](double x) { return numbers(Interval::point(x), 0); };
  const auto width = [](const Allowed& a) {
    REQUIRE(a.kind == Kind::within);
    return (a.values.high - a.values.low) / ulp(a.values.high, float32);
  };
  CHECK(width(add(point(1), point(2), rules)) == 0);
  CHECK(width(add(point(1), point(0x1p-30), rules)) == 1);
  CHECK(width(multiply(point(0x1.000002p0), point(0x1.000002p0), rules)) == 1);
  CHECK(width(divide(point(1), point(3), rules)) <= 6);
  CHECK(width(apply({inverse_sqrt}, point(3), rules)) <= 5);
  CHECK(width(apply({sqrt}, point(3), rules)) <= 16);
  CHECK(width(apply({exp}, point(1), rules)) <= 11);
  CHECK(width(apply({atan}, point(1.5), rules)) <= 8193);
}

TEST_CASE("operands outside the domain have no bounds") {
  const Rules rules;
  const auto point = [](double x) { return numbers(Interval::point(x), 7); };
  const auto undefined = [](const Allowed& a, Why why) {
    CHECK(a.kind == Kind::undefined);
    CHECK(a.why == why);
  };
  undefined(divide(point(1), point(0), rules), Why::domain);
  undefined(divide(point(1), point(0x1p127), rules), Why::divisor);
  undefined(apply({log, {0, HUGE_VAL}, true}, point(-1), rules), Why::domain);
  undefined(apply({log, {0, HUGE_VAL}, true}, point(0), rules), Why::domain);
  undefined(apply({acos, {-1, 1}}, point(1.5), rules), Why::domain);
  undefined(pow(point(-1), point(2), rules), Why::domain);
  undefined(atan2(point(0), point(0), rules), Why::domain);
  undefined(multiply(point(0x1p100), point(0x1p100), rules), Why::overflow);
  undefined(add(point(HUGE_VAL), point(1), rules), Why::special);
  undefined(to_integer(point(3e10), -0x1p31, 0x1p31 - 1, rules), Why::domain);
  CHECK(operand({}, std::nan(""), rules).why == Why::special);
  CHECK(maximum(point(-HUGE_VAL), point(1), rules).values == Interval::point(1));
}

TEST_CASE("where only the bounds of operands leave the domain, a rounding decides") {
  const Rules rules;
  const auto point = [](double x) { return numbers(Interval::point(x), 7); };
  const auto between = [](double low, double high) { return numbers({low, high}, 7); };
  const auto is = [](const Allowed& a, Kind kind, Why why) {
    CHECK(a.kind == kind);
    CHECK(a.why == why);
  };
  is(multiply(between(1, 0x1p100), point(0x1p100), rules), Kind::open, Why::overflow);
  is(multiply(between(0x1p99, 0x1p100), point(0x1p100), rules), Kind::undefined, Why::overflow);
  is(add(between(-0x1.8p127, 0x1.8p127), between(-0x1.8p127, 0x1.8p127), rules), Kind::open,
     Why::overflow);
  is(add(between(0x1p127, 0x1.8p127), between(0x1p127, 0x1.8p127), rules), Kind::undefined,
     Why::overflow);
  is(divide(point(1), between(-1, 1), rules), Kind::open, Why::domain);
  is(divide(point(1), between(1, 0x1p127), rules), Kind::open, Why::divisor);
  is(divide(point(1), between(0x1p126 * 1.5, 0x1p127), rules), Kind::undefined, Why::divisor);
  const Function logarithm{log, {0, HUGE_VAL}, true};
  is(apply(logarithm, between(-1, 1), rules), Kind::open, Why::domain);
  is(apply(logarithm, between(-2, -1), rules), Kind::undefined, Why::domain);
  is(pow(between(-1, 1), point(2), rules), Kind::open, Why::domain);
  is(pow(between(-2, -1), point(2), rules), Kind::undefined, Why::domain);
  is(atan2(between(-1, 1), between(-1, 1), rules), Kind::open, Why::domain);
  is(smooth_step(between(0, 2), between(1, 3), point(1), rules), Kind::open, Why::domain);
  is(smooth_step(between(2, 3), between(0, 1), point(1), rules), Kind::undefined, Why::domain);
  is(to_integer(between(0, 3e10), -0x1p31, 0x1p31 - 1, rules), Kind::open, Why::domain);
  is(to_integer(between(3e10, 4e10), -0x1p31, 0x1p31 - 1, rules), Kind::undefined, Why::domain);
}

TEST_CASE("comparisons are decided only where no rounding can change them") {
  const Rules rules;
  const auto between = [](double low, double high) { return numbers({low, high}, 0); };
  CHECK(less(between(1, 2), between(3, 4), rules) == Answer::yes);
  CHECK(less(between(1, 3), between(3, 4), rules) == Answer::either);
  CHECK(less(between(4, 5), between(3, 4), rules) == Answer::no);
  CHECK(less_equal(between(1, 3), between(3, 4), rules) == Answer::yes);
  CHECK(equal(between(1, 1), between(1, 1), rules) == Answer::yes);
  CHECK(equal(between(1, 2), between(2, 3), rules) == Answer::either);
  CHECK(equal(between(1, 2), between(3, 4), rules) == Answer::no);
  // A denormal may be zero, unless it is kept.
  CHECK(equal(between(0x1p-140, 0x1p-140), between(0, 0), rules) == Answer::either);
  CHECK(equal(between(0x1p-140, 0x1p-140), between(0, 0), {.precision = {float32, false}}) ==
        Answer::no);
}

}  // namespace
