#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>

#include "capture/vulkan/port.hpp"
#include "registry/registry.hpp"
#include "support/bandwidth.hpp"
#include "whole_kernels/measured.hpp"

/// \file
/// The same kernels on lavapipe, Mesa's Vulkan driver for the CPU, from their GLSL ports:
/// `compact/lavapipe`. It uses all threads of the machine.

namespace lockstep::bench {
namespace {

void run_port(benchmark::State& state, const Measured& measured, const std::string& device_name) {
  static const vulkan::Device device(device_name);
  const int size = static_cast<int>(device.properties().subgroup_size);
  const kernels::Entry& entry = *kernels::find_kernel(measured.name);
  const kernels::KernelCase before = entry.make_case(entry.make_input(measured.elements, 1), size);
  vulkan::Port port(device, before, LOCKSTEP_KERNELS_DIR);
  if (!port.lacks().empty())
    return state.SkipWithError(("the device lacks " + port.lacks()).c_str());
  for (auto _ : state) {
    port.upload(before);  // not timed
    state.SetIterationTime(port.run());
  }
  kernels::KernelCase after = before;
  port.download(after);
  if (const std::string wrong = entry.verify(before, after); !wrong.empty())
    state.SkipWithError(wrong.c_str());
}

/// llvmpipe ends loops after 65,535 iterations, so kernels that wait in loops fail on a busy machine.
bool waits_in_loops(const Measured& measured) { return measured.name == "prefix_sum_lookback"; }

const bool registered = [] {
  for (const vulkan::Properties& device : vulkan::devices()) {
    if (!device.name.starts_with("llvmpipe")) continue;
    for (const Measured& measured : measured_kernels()) {
      const int size = static_cast<int>(device.subgroup_size);
      if (waits_in_loops(measured) ||
          !kernels::find_kernel(measured.name)->undefined_at(size).empty())
        continue;
      benchmark::RegisterBenchmark(fmt::format("{}/lavapipe", measured.name).c_str(),
                                   [&measured, name = device.name](benchmark::State& state) {
                                     run_port(state, measured, name);
                                   })
          ->UseManualTime();
    }
    break;
  }
  return true;
}();

}  // namespace
}  // namespace lockstep::bench
