#include "registry/registry.hpp"

#include <string>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/device.hpp>

/// \file
/// The kernels of kernels/, which are compiled here with checked dispatches.

namespace {

using namespace lockstep;

TEST_CASE("the kernels of kernels/ keep all rules") {
  const int size = GENERATE(4, 32);
  Device device{.subgroup_size = size, .deterministic = true, .faults = Faults::counted};
  for (const kernels::Entry& entry : kernels::all_kernels()) {
    // Dispatches on pixels are not checked.
    if (!entry.undefined_at(size).empty() || entry.name == "mip") continue;
    for (const Checks checks : {kernel_checks(), undefined_checks() & kernel_checks()}) {
      device.checks = checks;
      CAPTURE(entry.name, size, to_string(checks));
      const kernels::KernelCase before = entry.make_case(entry.make_input(300, 1), size);
      kernels::KernelCase after = before;
      const FaultLog log = run(device, after);
      CHECK(to_string(log) == "no findings");
      CHECK(entry.verify(before, after) == "");
    }
  }
}

}  // namespace
