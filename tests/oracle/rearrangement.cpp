#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "oracle/expression.hpp"
#include "oracle/operations.hpp"

/// \file
/// Expressions of +, - and * against a compiler that rewrites them at random and a device that rounds at random.

namespace {

using namespace lockstep::oracle;
using namespace lockstep::oracle_test;
using Kind = Allowed::Kind;

Allowed allowed_of(const Tree& tree, const std::vector<Allowed>& leaves, const Rules& rules) {
  if (tree.op == 'x') return leaves[tree.leaf];
  const Allowed a = allowed_of(*tree.left, leaves, rules),
                b = allowed_of(*tree.right, leaves, rules);
  if (!a.is_number()) return a;
  if (!b.is_number()) return b;
  return tree.op == '+'   ? add(a, b, rules)
         : tree.op == '-' ? subtract(a, b, rules)
                          : multiply(a, b, rules);
}

/// A number of some size, or a small integer times that.
double random_leaf(LegalDevice& device, const Format& format, double size = 1) {
  const double share = device.share();
  if (share < 0.2) return size * (static_cast<double>(device.random()() % 9) - 4);
  const double magnitude = size * std::exp2(8 * device.share() - 5);
  return round_down(device.coin() ? magnitude : -magnitude, format);
}

void check_trees(const Format& format, int times, double size = 1) {
  LegalDevice device(format, 20261123);
  const Rules rules{.precision = {format}};
  int bounded = 0;
  for (int k = 0; k < times; ++k) {
    std::vector<Allowed> leaves;
    std::vector<Real> values;
    for (int n = 0; n < 4; ++n) {
      const double x = random_leaf(device, format, size);
      leaves.push_back(numbers(Interval::point(x), 0));
      values.emplace_back(x);
    }
    const TreePtr tree = random_tree(device, 4, leaves.size());
    const Allowed allowed = allowed_of(*tree, leaves, rules);
    if (allowed.kind != Kind::within) continue;
    ++bounded;
    for (int n = 0; n < 8; ++n) {
      try {
        const Real got =
            n % 2 == 0 ? as_written(*tree, values, device) : rewritten(*tree, values, device);
        INFO("got " << got << ", not in [" << allowed.values.low << ", " << allowed.values.high
                    << "]");
        REQUIRE((got >= allowed.values.low && got <= allowed.values.high));
      } catch (const Undefined&) {
      }
    }
  }
  CHECK(bounded > times / 2);
}

TEST_CASE("every rewriting of a sum of products stays inside its bounds") {
  check_trees(float32, 1500);
  check_trees(float16, 1500);
  check_trees(float64, 500);
}

TEST_CASE("where denormals may become zero, no sum is exact") {
  check_trees(float32, 500, 0x1p-124);
  check_trees(float16, 500, 0x1p-12);
  check_trees(float64, 500, 0x1p-1020);
  // The sum of two denormals, which needs no rounding.
  const double small = 3 * float32.smallest_normal / 4;
  const std::vector<Allowed> terms(2, numbers(Interval::point(small), 0));
  CHECK(any_order_sum(terms, {float32}, 0).values.contains(small));
  CHECK(any_order_sum(terms, {float32, false}, 0).values == Interval::point(2 * small));
  // Nor a product on its way through one.
  const Rules rules{.precision = {float32}};
  const Allowed tiny = numbers(Interval::point(0x1p-100), 0),
                huge = numbers(Interval::point(0x1p120), 0);
  CHECK(multiply(multiply(tiny, huge, rules), tiny, rules).values.contains(0));
}

TEST_CASE("sums and products in any order stay inside the bounds of a reduction") {
  for (const Format& format : {float16, float32, float64}) {
    LegalDevice device(format, 7);
    const Rules rules{.precision = {format}};
    for (int k = 0; k < 300; ++k) {
      std::vector<Allowed> terms;
      std::vector<Real> values;
      const std::size_t count = 1 + device.random()() % 24;
      for (std::size_t n = 0; n < count; ++n) {
        const double x = random_leaf(device, format);
        terms.push_back(numbers(Interval::point(x), 0));
        values.emplace_back(x);
      }
      for (const bool multiplies : {false, true}) {
        const Allowed allowed = multiplies ? any_order_product(terms, rules.precision, 0)
                                           : any_order_sum(terms, rules.precision, 0);
        if (allowed.kind != Kind::within) continue;
        try {
          const Real got = join(values, device, multiplies);
          REQUIRE((got >= allowed.values.low && got <= allowed.values.high));
        } catch (const Undefined&) {
        }
      }
    }
  }
}

TEST_CASE("sums of small integers are exact in every order") {
  std::vector<Allowed> terms;
  for (int k = 0; k < 128; ++k) terms.push_back(numbers(Interval::point(k - 40), 0));
  const Allowed sum = any_order_sum(terms, {float32}, 0);
  REQUIRE(sum.kind == Kind::within);
  CHECK(sum.values == Interval::point(127 * 64 - 40 * 128));
  // Quarters as well, but not next to a large number.
  terms.push_back(numbers(Interval::point(0.25), 0));
  CHECK(any_order_sum(terms, {float32}, 0).values.is_point());
  terms.push_back(numbers(Interval::point(0x1p24), 0));
  CHECK_FALSE(any_order_sum(terms, {float32}, 0).values.is_point());
}

TEST_CASE("a term lost from a sum lies outside its bounds") {
  LegalDevice device(float32, 11);
  for (int k = 0; k < 200; ++k) {
    std::vector<Allowed> terms;
    for (int n = 0; n < 32; ++n)
      terms.push_back(numbers(Interval::point(round_down(0.5 + device.share(), float32)), 0));
    const Allowed all = any_order_sum(terms, {float32}, 0);
    terms.pop_back();
    const Allowed lost = any_order_sum(terms, {float32}, 0);
    CHECK(lost.values.high < all.values.low);
  }
}

}  // namespace
