#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <vector>

#include "oracle/device.hpp"
#include "oracle/operations.hpp"

/// \file
/// Expressions of +, - and * against a compiler that rewrites them at random and a device that rounds at random.

namespace {

using namespace lockstep::oracle;
using lockstep::oracle_test::Device;
using lockstep::oracle_test::Real;
using lockstep::oracle_test::Undefined;
using Kind = Allowed::Kind;

/// A sum of products of leaves: each with the leaves' numbers.
using Monomial = std::vector<std::size_t>;

struct Tree {
  char op = 'x';  ///< '+', '-', '*', or a leaf
  std::size_t leaf = 0;
  std::shared_ptr<Tree> left, right;
};
using TreePtr = std::shared_ptr<Tree>;

TreePtr random_tree(Device& device, int depth, std::size_t leaves) {
  auto tree = std::make_shared<Tree>();
  if (depth == 0 || device.share() < 0.15) {
    tree->leaf = device.random()() % leaves;
    return tree;
  }
  tree->op = "+-*"[device.random()() % 3];
  tree->left = random_tree(device, depth - 1, leaves);
  tree->right = random_tree(device, depth - 1, leaves);
  return tree;
}

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

/// As it stands, with each product of a sum fused or not.
Real as_written(const Tree& tree, const std::vector<Real>& leaves, Device& device) {
  if (tree.op == 'x') return leaves[tree.leaf];
  const Real b = as_written(*tree.right, leaves, device);
  if (tree.op != '*' && tree.left->op == '*' && device.coin()) {
    const Real x = as_written(*tree.left->left, leaves, device);
    const Real y = as_written(*tree.left->right, leaves, device);
    return device.fused(x, y, tree.op == '+' ? b : -b);
  }
  const Real a = as_written(*tree.left, leaves, device);
  return tree.op == '+'   ? device.add(a, b)
         : tree.op == '-' ? device.add(a, -b)
                          : device.multiply(a, b);
}

/// The tree multiplied out: signed products.
void expand(const Tree& tree, bool minus, std::vector<std::pair<bool, Monomial>>& out) {
  if (tree.op == 'x') {
    out.push_back({minus, {tree.leaf}});
    return;
  }
  if (tree.op != '*') {
    expand(*tree.left, minus, out);
    expand(*tree.right, minus != (tree.op == '-'), out);
    return;
  }
  std::vector<std::pair<bool, Monomial>> left, right;
  expand(*tree.left, minus, left);
  expand(*tree.right, false, right);
  for (const auto& [a_minus, a] : left) {
    for (const auto& [b_minus, b] : right) {
      Monomial product = a;
      product.insert(product.end(), b.begin(), b.end());
      out.push_back({a_minus != b_minus, product});
    }
  }
}

Real join(std::vector<Real> parts, Device& device, bool multiplies) {
  while (parts.size() > 1) {
    const std::size_t k = device.random()() % parts.size();
    std::swap(parts[k], parts.back());
    const Real a = parts.back();
    parts.pop_back();
    const std::size_t j = device.random()() % parts.size();
    parts[j] = multiplies ? device.multiply(a, parts[j]) : device.add(a, parts[j]);
  }
  return parts[0];
}

/// Multiplied out, without products that cancel, in a random order.
Real rewritten(const Tree& tree, const std::vector<Real>& leaves, Device& device) {
  std::vector<std::pair<bool, Monomial>> products;
  expand(tree, false, products);
  std::map<Monomial, int> counts;
  for (auto& [minus, factors] : products) {
    std::sort(factors.begin(), factors.end());
    counts[factors] += minus ? -1 : 1;
  }
  std::vector<Real> terms;
  for (const auto& [factors, count] : counts) {
    for (int k = 0; k < std::abs(count); ++k) {
      std::vector<Real> values;
      for (const std::size_t leaf : factors) values.push_back(leaves[leaf]);
      const Real product = join(values, device, true);
      terms.push_back(count < 0 ? Real(-product) : product);
    }
  }
  return terms.empty() ? Real(0) : join(terms, device, false);
}

double random_leaf(Device& device, const Format& format) {
  const double share = device.share();
  if (share < 0.2) return static_cast<double>(device.random()() % 9) - 4;
  const double magnitude = std::exp2(8 * device.share() - 5);
  return round_down(device.coin() ? magnitude : -magnitude, format);
}

void check_trees(const Format& format, int times) {
  Device device(format, 20261123);
  const Rules rules{.precision = {format}};
  int bounded = 0;
  for (int k = 0; k < times; ++k) {
    std::vector<Allowed> leaves;
    std::vector<Real> values;
    for (int n = 0; n < 4; ++n) {
      const double x = random_leaf(device, format);
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

TEST_CASE("sums and products in any order stay inside the bounds of a reduction") {
  for (const Format& format : {float16, float32, float64}) {
    Device device(format, 7);
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
  Device device(float32, 11);
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
