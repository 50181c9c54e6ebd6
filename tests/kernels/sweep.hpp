#pragma once

#include <lockstep/dispatch/device.hpp>

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "registry/registry.hpp"
#include "support/settings.hpp"

namespace lockstep::test {

#if defined(LOCKSTEP_TEST_REDUCED)
inline constexpr int kernel_sizes[] = {1, 3, 24, 33, 128};
#else
inline constexpr int kernel_sizes[] = {1, 2, 3, 4, 5, 8, 16, 24, 31, 32, 33, 64, 100, 127, 128};
#endif

inline const kernels::Entry& kernel(std::string_view name) {
  const kernels::Entry* entry = kernels::find_kernel(name);
  REQUIRE(entry != nullptr);
  return *entry;
}

/// Runs a kernel on these inputs and returns the job afterwards; its check must pass.
inline kernels::KernelCase run_checked(const kernels::Entry& entry,
                                       std::vector<kernels::Argument> inputs, int subgroup_size,
                                       int threads = 1) {
  const kernels::KernelCase before = entry.make_case(std::move(inputs), subgroup_size);
  kernels::KernelCase after = before;
  const FaultLog faults =
      kernels::run(Device{.subgroup_size = subgroup_size, .threads = threads}, after);
  CHECK(faults.count() == 0);
  CHECK(entry.verify(before, after) == "");
  return after;
}

/// The check's message when output number k differs at element i.
inline std::string check_spoilt(const kernels::Entry& entry, const kernels::KernelCase& before,
                                kernels::KernelCase after, std::size_t k, std::size_t i) {
  std::visit(
      [i](auto& v) {
        using T = typename std::remove_reference_t<decltype(v)>::value_type;
        v[i] = static_cast<T>(static_cast<float>(v[i]) == 77.0f ? T(78) : T(77));
      },
      after.arguments[k].values);
  return entry.verify(before, after);
}

/// The kernel at every subgroup size, on as many elements as given, on one thread and on all.
///
/// If the algorithm is not defined at a size, `defined` must agree, and this is the expected
/// explanation.
template <class Defined>
void sweep(std::string_view name, const std::vector<std::size_t>& counts, Defined defined,
           const std::string& explanation = "") {
  const kernels::Entry& entry = kernel(name);
  for (const int size : kernel_sizes) {
    INFO(name << ", subgroup size " << size << ", seed " << seed());
    if (!defined(size)) {
      CHECK(entry.undefined_at(size) == explanation);
      continue;
    }
    CHECK(entry.undefined_at(size) == "");
    for (const std::size_t count : counts) {
      INFO(count << " elements");
      const auto inputs = entry.make_input(count, seed());
      for (const int threads : {1, 0}) run_checked(entry, inputs, size, threads);
    }
  }
}
inline void sweep(std::string_view name, const std::vector<std::size_t>& counts) {
  sweep(name, counts, [](int) { return true; });
}

inline bool is_power_of_two(int size) { return (size & (size - 1)) == 0; }

/// The check must detect one modified element of each output, the first.
inline void check_notices(std::string_view name, int subgroup_size, std::size_t count) {
  const kernels::Entry& entry = kernel(name);
  const auto inputs = entry.make_input(count, seed());
  const kernels::KernelCase before = entry.make_case(inputs, subgroup_size);
  const kernels::KernelCase after = run_checked(entry, inputs, subgroup_size);
  for (std::size_t k = 0; k < after.arguments.size(); ++k) {
    if (after.arguments[k].role != kernels::Role::output) continue;
    INFO(name << ", output " << after.arguments[k].name);
    CHECK(check_spoilt(entry, before, after, k, 0) != "");
  }
}

}  // namespace lockstep::test
