#pragma once

/// \file
/// Common parts of what verifies kernels. Nothing here depends on lanes: plain loops.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::kernels {

/// Where `got` differs from `want`, in one line; empty if it does not.
template <class T>
std::string difference(std::string_view name, const std::vector<T>& want, std::span<const T> got) {
  if (want.size() != got.size())
    return fmt::format("{} has {} elements instead of {}", name, got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    const bool same = want[i] == got[i] || (want[i] != want[i] && got[i] != got[i]);
    if (!same) return fmt::format("{}[{}] is {} instead of {}", name, i, got[i], want[i]);
  }
  return {};
}

/// A float computed exactly, and how far rounding in any order may deviate from it.
struct Expected {
  double value;
  double slack;

  /// A product, or a sum of numbers of one sign, of this many rounded operations.
  static Expected after(std::size_t operations, double value) {
    return {value, static_cast<double>(operations) * 0x1p-23 * std::abs(value)};
  }
  bool allows(double got) const {
    if (std::isnan(value)) return std::isnan(got);
    // What overflows in float may be finite in double.
    if (std::abs(value) + slack > 0x1p127) return !(std::abs(got) < std::abs(value) / 2);
    return std::abs(got - value) <= slack + 0x1p-126;
  }
};

inline std::string difference(std::string_view name, const std::vector<Expected>& want,
                              std::span<const float> got) {
  if (want.size() != got.size())
    return fmt::format("{} has {} elements instead of {}", name, got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (!want[i].allows(got[i]))
      return fmt::format("{}[{}] is {} instead of {}", name, i, got[i], want[i].value);
  }
  return {};
}

/// Calls f(first, lanes) for each subgroup of a row of workgroups, where invocations are
/// consecutive: its first invocation, and how many of its lanes exist and are below n.
template <class F>
void for_each_subgroup(std::size_t n, std::size_t local_size, int subgroup_size, F f) {
  const auto lanes = static_cast<std::size_t>(subgroup_size);
  for (std::size_t group = 0; group < n; group += local_size) {
    const std::size_t end = std::min(group + local_size, n);
    for (std::size_t first = group; first < end; first += lanes)
      f(first, std::min(lanes, end - first));
  }
}

}  // namespace lockstep::kernels
