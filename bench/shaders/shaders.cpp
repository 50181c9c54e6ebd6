#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include <lockstep/dispatch/device.hpp>

#include "registry/registry.hpp"
#include "shaders/measure.hpp"
#include "shaders/rival.hpp"
#include "support/bandwidth.hpp"
#include "support/ports/engine_port.hpp"

/// \file
/// The GLSL ports of kernels/ on the shader engine, alternating with the C++ kernels and, if there is
/// one, lavapipe: `saxpy/32`. All on one thread; each run's result is checked once before it is timed.
///
/// of_cpp: time relative to the C++ kernel. of_lavapipe: speed relative to lavapipe.

namespace lockstep::bench {
namespace {

void run_shader(benchmark::State& state, const std::string& name, int subgroup_size) {
  const kernels::Entry& entry = *kernels::find_kernel(name);
  const kernels::KernelCase before =
      entry.make_case(entry.make_input(shader_elements(), 1), subgroup_size);
  const Device device{.subgroup_size = subgroup_size, .threads = 1};
  const DispatchSettings settings{.subgroup_size = subgroup_size, .threads = 1};
  ports::EnginePort shader(before, LOCKSTEP_KERNELS_DIR);
  kernels::KernelCase kernel = before;
  shader.run(kernel, settings);
  if (const std::string wrong = entry.verify(before, kernel); !wrong.empty())
    return state.SkipWithError(wrong.c_str());
  const auto rival = make_rival() == nullptr ? nullptr : make_rival()(name, shader_elements());

  std::vector<double> mine, of_cpp, of_rival;
  for (auto _ : state) {
    kernel.arguments = before.arguments;  // not timed
    const double seconds = seconds_of([&] { shader.run(kernel, settings); });
    state.SetIterationTime(seconds);
    mine.push_back(seconds);
    kernel.arguments = before.arguments;
    of_cpp.push_back(seconds / seconds_of([&] { kernels::run(device, kernel); }));
    if (rival != nullptr) of_rival.push_back(rival->run() / seconds);
  }
  state.counters["ns/element"] = median(mine) / static_cast<double>(shader_elements()) * 1e9;
  state.counters["of_cpp"] = median(of_cpp);
  if (rival != nullptr) state.counters["of_lavapipe"] = median(of_rival);
}

const bool registered = [] {
  for (const char* name : {"saxpy", "max_reduce", "max_pool", "butterfly", "compact", "prefix_sum",
                           "histogram", "collatz", "mandelbrot", "radix_sort"}) {
    for (const int size : {32}) {
      benchmark::RegisterBenchmark(
          fmt::format("{}/{}", name, size).c_str(),
          [name, size](benchmark::State& state) { run_shader(state, name, size); })
          ->UseManualTime();
    }
  }
  return true;
}();

}  // namespace
}  // namespace lockstep::bench
