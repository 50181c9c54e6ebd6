#include "vulkan/twin.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "kernels/registry.hpp"

using namespace lockstep;

namespace {

/// lavapipe, Mesa's driver that runs on the CPU.
const vulkan::Device& lavapipe() {
  static const vulkan::Device device("llvmpipe");
  return device;
}

bool has_lavapipe() {
  for (const vulkan::Properties& device : vulkan::devices())
    if (device.name.starts_with("llvmpipe")) return true;
  WARN("no lavapipe on this machine (Debian: mesa-vulkan-drivers): nothing to compare with");
  return false;
}

}  // namespace

TEST_CASE("every kernel's GLSL twin passes the kernel's check on lavapipe") {
  if (!has_lavapipe()) return;
  const auto size = static_cast<int>(lavapipe().properties().subgroup_size);
  int ran = 0;
  for (const kernels::Entry& entry : kernels::all_kernels()) {
    INFO(entry.name << " at size " << size);
    if (!entry.undefined_at(size).empty()) continue;
    // It waits in loops, and llvmpipe ends those after 65,535 trips: on a busy machine it goes wrong.
    if (entry.name == "prefix_sum_lookback") continue;
    const kernels::Job before = entry.make_job(entry.make_input(3000, 1), size);
    vulkan::Twin twin(lavapipe(), before, LOCKSTEP_KERNELS_DIR);
    if (!twin.lacks().empty()) {
      WARN(entry.name << ": left out, lavapipe lacks " << twin.lacks());
      continue;
    }
    twin.upload(before);
    twin.run();
    kernels::Job after = before;
    twin.download(after);
    CHECK(entry.check(before, after) == "");
    ++ran;
  }
  CHECK(ran >= 15);
}
