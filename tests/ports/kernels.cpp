#include <lockstep/dispatch/device.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "ports/compare.hpp"
#include "registry/registry.hpp"
#include "support/settings.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;

std::vector<int> sizes() {
#if defined(LOCKSTEP_TEST_REDUCED)
  return {1, 3, 24, 33, 128};
#else
  if (!full_run()) return {1, 2, 3, 4, 5, 8, 16, 24, 31, 32, 33, 64, 100, 127, 128};
  std::vector<int> all(128);
  std::iota(all.begin(), all.end(), 1);
  return all;
#endif
}

/// Runs the C++ kernel and the port on one job: on one thread, whose order is defined, and on all.
void compare_port(const kernels::Entry& entry, ports::EnginePort& port, std::size_t count,
                  int size) {
  const kernels::KernelCase before = entry.make_case(entry.make_input(count, seed()), size);
  for (const int threads : {1, 0}) {
    INFO(entry.name << ", subgroup size " << size << ", " << count << " elements, threads "
                    << threads << ", seed " << seed());
    kernels::KernelCase want = before, got = before;
    kernels::run(Device{.subgroup_size = size, .threads = threads}, want);
    CHECK(port.run(got, {.subgroup_size = size, .threads = threads}).count() == 0);
    CHECK(entry.verify(before, got) == "");
    if (threads == 1 || !has_open_order(entry.name)) CHECK(first_difference(got, want) == "");
  }
}

}  // namespace

TEST_CASE("every kernel's port leaves the bits that the C++ kernel leaves, at every size") {
  int compared = 0;
  std::vector<std::string> pixels;
  for (const kernels::Entry& entry : kernels::all_kernels()) {
    std::vector<int> defined = sizes();
    std::erase_if(defined, [&](int size) { return !entry.undefined_at(size).empty(); });
    const kernels::KernelCase any = entry.make_case(entry.make_input(1, 1), defined.back());
    if (!is_compute(any)) {
      pixels.emplace_back(entry.name);
      continue;
    }
    ports::EnginePort port(any, LOCKSTEP_KERNELS_DIR);
    for (const int size : defined) {
      for (const std::size_t count : {std::size_t{0}, std::size_t{129}, std::size_t{1000}})
        compare_port(entry, port, count, size);
    }
    ++compared;
  }
  CHECK(compared >= 30);
  // Written for fragments: the engine runs compute shaders.
  CHECK(pixels == std::vector<std::string>{"mip"});
}
