#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "oracle/device.hpp"

/// \file
/// Expressions of +, - and *, and the ways in which a compiler may evaluate them.

namespace lockstep::oracle_test {

/// A sum of products of leaves: each with the leaves' numbers.
using Monomial = std::vector<std::size_t>;

struct Tree {
  char op = 'x';  ///< '+', '-', '*', or a leaf
  std::size_t leaf = 0;
  std::shared_ptr<Tree> left, right;
};
using TreePtr = std::shared_ptr<Tree>;

inline TreePtr random_tree(LegalDevice& device, int depth, std::size_t leaves) {
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

/// As it stands, with each product of a sum fused or not.
inline Real as_written(const Tree& tree, const std::vector<Real>& leaves, LegalDevice& device) {
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
inline void expand(const Tree& tree, bool minus, std::vector<std::pair<bool, Monomial>>& out) {
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

inline Real join(std::vector<Real> parts, LegalDevice& device, bool multiplies) {
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
inline Real rewritten(const Tree& tree, const std::vector<Real>& leaves, LegalDevice& device) {
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

}  // namespace lockstep::oracle_test
