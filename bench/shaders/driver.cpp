#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/spirv/module.hpp>

#include "capture/vulkan/port.hpp"
#include "registry/registry.hpp"
#include "shaders/measure.hpp"
#include "support/bandwidth.hpp"
#include "support/ports/engine_port.hpp"

/// \file
/// The GLSL ports of kernels/ through the Vulkan driver, alternating with the engine itself, both on one thread:
/// `driver/saxpy/32`. The result of the driver is checked before it is timed. `driver/empty/32` is a dispatch that does
/// nothing: from its submission until the program knows that it has ended.
///
/// of_engine: time of the driver relative to the engine's.

namespace lockstep::bench {
namespace {

constexpr int subgroup_size = 32;

/// Before anything asks for devices.
const bool found_by_the_loader = [] {
  setenv("VK_ADD_DRIVER_FILES", LOCKSTEP_VULKAN_MANIFEST, 1);
  setenv("LOCKSTEP_SUBGROUP_SIZE", "32", 1);
  setenv("LOCKSTEP_THREADS", "1", 1);
  return true;
}();

const vulkan::Device& driver() {
  static const vulkan::Device device("Lockstep");
  return device;
}

void run_port(benchmark::State& state, const std::string& name) {
  const kernels::Entry& entry = *kernels::find_kernel(name);
  const kernels::KernelCase before =
      entry.make_case(entry.make_input(shader_elements(), 1), subgroup_size);
  vulkan::Port port(driver(), before, LOCKSTEP_KERNELS_DIR);
  if (!port.lacks().empty())
    return state.SkipWithError(("the driver lacks " + port.lacks()).c_str());
  port.upload(before);
  port.run();
  kernels::KernelCase kernel = before;
  port.download(kernel);
  if (const std::string wrong = entry.verify(before, kernel); !wrong.empty())
    return state.SkipWithError(wrong.c_str());

  const DispatchSettings settings{.subgroup_size = subgroup_size, .threads = 1};
  ports::EnginePort engine(before, LOCKSTEP_KERNELS_DIR);
  engine.run(kernel, settings);  // compiles it
  std::vector<double> mine, of_engine;
  for (auto _ : state) {
    port.upload(before);  // not timed
    const double seconds = port.run();
    state.SetIterationTime(seconds);
    mine.push_back(seconds);
    kernel.arguments = before.arguments;
    of_engine.push_back(seconds / seconds_of([&] { engine.run(kernel, settings); }));
  }
  state.counters["ns/element"] = median(mine) / static_cast<double>(shader_elements()) * 1e9;
  state.counters["of_engine"] = median(of_engine);
}

void run_empty(benchmark::State& state) {
  const auto module =
      Module::from_glsl("#version 450\nlayout(local_size_x = 32) in;\nvoid main() {}\n");
  vulkan::Pipeline pipeline(driver(), module.words(), {}, {});
  for (auto _ : state) state.SetIterationTime(pipeline.run({1}, {}));
}

const bool registered = [] {
  for (const char* name : {"saxpy", "max_reduce", "max_pool", "butterfly", "compact", "prefix_sum",
                           "histogram", "collatz", "mandelbrot", "radix_sort"}) {
    benchmark::RegisterBenchmark(fmt::format("driver/{}/32", name).c_str(),
                                 [name](benchmark::State& state) { run_port(state, name); })
        ->UseManualTime();
  }
  benchmark::RegisterBenchmark("driver/empty/32", run_empty)->UseManualTime();
  return true;
}();

}  // namespace
}  // namespace lockstep::bench
