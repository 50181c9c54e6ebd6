#include "capture/vulkan/port.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "ports/compare.hpp"
#include "registry/registry.hpp"
#include "vulkan/lavapipe.hpp"

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("every kernel's GLSL port leaves the same bits on lavapipe and on the engine") {
  if (!has_lavapipe()) return;
  const auto size = static_cast<int>(lavapipe().properties().subgroup_size);
  int ran = 0;
  for (const kernels::Entry& entry : kernels::all_kernels()) {
    INFO(entry.name << " at size " << size);
    if (!entry.undefined_at(size).empty()) continue;
    // It waits in loops, and llvmpipe ends loops after 65,535 iterations: it fails on a busy machine.
    if (entry.name == "prefix_sum_lookback") continue;
    const kernels::KernelCase before = entry.make_case(entry.make_input(3000, 1), size);
    vulkan::Port port(lavapipe(), before, LOCKSTEP_KERNELS_DIR);
    if (!port.lacks().empty()) {
      WARN(entry.name << ": left out, lavapipe lacks " << port.lacks());
      continue;
    }
    port.upload(before);
    port.run();
    kernels::KernelCase after = before;
    port.download(after);
    CHECK(entry.verify(before, after) == "");
    kernels::KernelCase engine = before;
    CHECK(ports::EnginePort(before, LOCKSTEP_KERNELS_DIR)
              .run(engine, {.subgroup_size = size})
              .count() == 0);
    CHECK(entry.verify(before, engine) == "");
    if (!has_open_order(entry.name)) CHECK(first_difference(engine, after) == "");
    ++ran;
  }
  CHECK(ran >= 15);
}
