#include <string>

#include <catch2/catch.hpp>

#include "capture/vulkan/port.hpp"
#include "capture/vulkan/runner.hpp"
#include "driver/environment.hpp"
#include "registry/registry.hpp"

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("every kernel's GLSL port computes the right thing on the driver") {
  for (const int size : driver_sizes) {
    const Environment environment(size);
    const vulkan::Device device("Lockstep");
    REQUIRE(device.properties().subgroup_size == unsigned(size));
    int ran = 0;
    for (const kernels::Entry& entry : kernels::all_kernels()) {
      INFO(entry.name << " at size " << size);
      if (!entry.undefined_at(size).empty()) continue;
      const kernels::KernelCase before = entry.make_case(entry.make_input(3000, 1), size);
      vulkan::Port port(device, before, LOCKSTEP_KERNELS_DIR);
      if (!port.lacks().empty()) continue;
      port.upload(before);
      port.run();
      kernels::KernelCase after = before;
      port.download(after);
      CHECK(entry.verify(before, after) == "");
      ++ran;
    }
    CHECK(ran >= 15);
  }
}
