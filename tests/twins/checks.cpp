#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/checks.hpp>

#include "registry/registry.hpp"
#include "support/settings.hpp"
#include "twins/compare.hpp"

/// \file
/// Checked runs of the twins of all kernels, which are right: nothing is found in them, and results stay the same.

namespace {

using namespace lockstep;
using namespace lockstep::test;

void check_twin(const kernels::Entry& entry, twins::EngineTwin& twin, int size) {
  const kernels::Job before = entry.make_job(entry.make_input(500, seed()), size);
  INFO(entry.name << ", subgroup size " << size << ", seed " << seed());
  kernels::Job plain = before, checked = before;
  DispatchSettings settings{.subgroup_size = size, .threads = 1};
  twin.run(plain, settings);
  settings.checks = Checks::all();
  const FaultLog findings = twin.run(checked, settings);
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
    const kernels::Job any = entry.make_job(entry.make_input(1, 1), sizes.back());
    if (!is_compute(any)) continue;
    twins::EngineTwin twin(any, LOCKSTEP_KERNELS_DIR);
    for (const int size : sizes) check_twin(entry, twin, size);
    ++checked;
  }
  CHECK(checked > 20);
}
