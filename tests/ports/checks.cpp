#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/checks.hpp>

#include "ports/compare.hpp"
#include "registry/registry.hpp"
#include "support/settings.hpp"

/// \file
/// Checked runs of the ports of all kernels, which are right: nothing is found in them, and results stay the same.

namespace {

using namespace lockstep;
using namespace lockstep::test;

void check_port(const kernels::Entry& entry, ports::EnginePort& port, int size) {
  const kernels::KernelCase before = entry.make_case(entry.make_input(500, seed()), size);
  INFO(entry.name << ", subgroup size " << size << ", seed " << seed());
  kernels::KernelCase plain = before, checked = before;
  DispatchSettings settings{.subgroup_size = size, .threads = 1};
  port.run(plain, settings);
  settings.checks = Checks::all();
  const FaultLog findings = port.run(checked, settings);
  INFO(findings);
  CHECK(findings.count() == 0);
  CHECK(first_difference(checked, plain) == "");
}

}  // namespace

TEST_CASE("nothing is found in any kernel") {
  int checked = 0;
  for (const kernels::Entry& entry : kernels::all_kernels()) {
    std::vector<int> sizes{4, 8, 32, 128};
    std::erase_if(sizes, [&](int size) { return !entry.undefined_at(size).empty(); });
    if (sizes.empty()) continue;
    const kernels::KernelCase any = entry.make_case(entry.make_input(1, 1), sizes.back());
    if (!is_compute(any)) continue;
    ports::EnginePort port(any, LOCKSTEP_KERNELS_DIR);
    for (const int size : sizes) check_port(entry, port, size);
    ++checked;
  }
  CHECK(checked > 20);
}
