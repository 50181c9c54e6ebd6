#pragma once

/// \file
/// The case and the verification that the three allocations share.

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {

/// Long runs of even and odd values, so that whole subgroups have nothing to store.
inline std::vector<Argument> allocation_input(std::size_t n, std::uint64_t seed) {
  std::vector<std::uint32_t> in = random_values(n, seed);
  for (std::size_t i = 0; i < n; ++i) {
    if (i / 300 % 2 == 1) in[i] |= 1;
    if (i / 300 % 4 == 2) in[i] &= ~1u;
  }
  return {input("in", std::move(in))};
}

template <template <class> class K>
KernelCase allocation_case(std::string shader, std::vector<Argument> inputs, int subgroup_size) {
  const std::size_t n = size(inputs[0]);
  inputs.push_back(output<std::uint32_t>("free_slot", 1));
  inputs.push_back(output<std::uint32_t>("data", n));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<K, std::uint32_t, std::uint32_t, std::uint32_t>(
              std::move(shader), workgroups_for<K>(n), {0, 1, 2})}};
}

/// Every even value once, in any order, without gaps.
inline std::string verify_allocation(const KernelCase& before, const KernelCase& after) {
  std::vector<std::uint32_t> want;
  for (const std::uint32_t x : values<std::uint32_t>(before.arguments[0])) {
    if (x % 2 == 0) want.push_back(x);
  }
  const std::vector<std::uint32_t> count = {static_cast<std::uint32_t>(want.size())};
  std::string wrong = difference("free_slot", count, values<std::uint32_t>(after.arguments[1]));
  if (!wrong.empty()) return wrong;
  const auto data = values<std::uint32_t>(after.arguments[2]).first(want.size());
  std::vector<std::uint32_t> got(data.begin(), data.end());
  std::sort(want.begin(), want.end());
  std::sort(got.begin(), got.end());
  return difference<std::uint32_t>("sorted data", want, got);
}

}  // namespace lockstep::kernels
