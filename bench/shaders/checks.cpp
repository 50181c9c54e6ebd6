#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include <lockstep/exec/checks.hpp>

#include "registry/registry.hpp"
#include "shaders/measure.hpp"
#include "support/bandwidth.hpp"
#include "support/ports/engine_port.hpp"

/// \file
/// Checked runs of the GLSL ports of kernels/, alternating with unchecked ones: `checked/saxpy/32` for undefined values,
/// `all_checks/saxpy/32` for everything, races included. All on one thread;
/// each result is checked once before it is timed, and nothing may be found.
///
/// of_plain: time relative to the run without checks.

namespace lockstep::bench {
namespace {

void run_checked(benchmark::State& state, const std::string& name, int subgroup_size,
                 Checks checks) {
  const kernels::Entry& entry = *kernels::find_kernel(name);
  const kernels::KernelCase before =
      entry.make_case(entry.make_input(shader_elements(), 1), subgroup_size);
  const DispatchSettings plain{.subgroup_size = subgroup_size, .threads = 1};
  DispatchSettings checked = plain;
  checked.checks = checks;
  ports::EnginePort shader(before, LOCKSTEP_KERNELS_DIR);
  kernels::KernelCase kernel = before;
  if (shader.run(kernel, checked).count() > 0) return state.SkipWithError("something was found");
  if (const std::string wrong = entry.verify(before, kernel); !wrong.empty())
    return state.SkipWithError(wrong.c_str());

  std::vector<double> of_plain;
  for (auto _ : state) {
    kernel.arguments = before.arguments;  // not timed
    const double seconds = seconds_of([&] { shader.run(kernel, checked); });
    state.SetIterationTime(seconds);
    kernel.arguments = before.arguments;
    of_plain.push_back(seconds / seconds_of([&] { shader.run(kernel, plain); }));
  }
  state.counters["of_plain"] = median(of_plain);
}

const bool registered = [] {
  for (const char* name : {"saxpy", "max_reduce", "max_pool", "butterfly", "compact", "prefix_sum",
                           "histogram", "collatz", "mandelbrot", "radix_sort"}) {
    const auto add = [name](const char* what, Checks checks) {
      benchmark::RegisterBenchmark(
          fmt::format("{}/{}/32", what, name).c_str(),
          [=](benchmark::State& state) { run_checked(state, name, 32, checks); })
          ->UseManualTime();
    };
    add("checked", undefined_checks());
    add("all_checks", Checks::all());
  }
  return true;
}();

}  // namespace
}  // namespace lockstep::bench
