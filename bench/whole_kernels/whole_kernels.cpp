#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/dispatch/parallel.hpp>

#include "registry/registry.hpp"
#include "support/bandwidth.hpp"
#include "whole_kernels/measured.hpp"

/// \file
/// The kernels of kernels/ on large inputs: `compact/32/threads:1`. Each run is checked once before it
/// is timed.

namespace lockstep::bench {
namespace {

/// Bytes that a kernel has to move: inputs are read, outputs written.
double bytes_of(const kernels::KernelCase& kernel) {
  double bytes = 0;
  for (const kernels::Argument& argument : kernel.arguments) {
    if (argument.role == kernels::Role::scratch) continue;
    std::visit([&](const auto& v) { bytes += static_cast<double>(v.size() * sizeof v[0]); },
               argument.values);
  }
  return bytes;
}

double invocations_of(const kernels::KernelCase& kernel, const Measured& measured) {
  return static_cast<double>(measured.elements != 0 ? measured.elements
                                                    : kernels::size(kernel.arguments[0]));
}

void run_job(benchmark::State& state, const Measured& measured, int subgroup_size, int threads) {
  const kernels::Entry& entry = *kernels::find_kernel(measured.name);
  const kernels::KernelCase before =
      entry.make_case(entry.make_input(measured.elements, 1), subgroup_size);
  const Device device{.subgroup_size = subgroup_size, .threads = threads};
  kernels::KernelCase kernel = before;
  kernels::run(device, kernel);
  if (const std::string wrong = entry.verify(before, kernel); !wrong.empty())
    return state.SkipWithError(wrong.c_str());

  double fastest = std::numeric_limits<double>::infinity();
  CopyInTurns copy(threads);
  for (auto _ : state) {
    kernel.arguments = before.arguments;  // not timed
    const double seconds = seconds_of([&] { kernels::run(device, kernel); });
    state.SetIterationTime(seconds);
    fastest = std::min(fastest, seconds);
    copy.run();
  }
  const double bytes = bytes_of(before);
  state.counters["ns/invocation"] = fastest / invocations_of(before, measured) * 1e9;
  state.counters["GB/s"] = bytes / fastest * 1e-9;
  state.counters["of_memcpy"] = bytes / fastest / copy.bytes_per_second();
}

/// A plain loop that does the work of the kernel.
void run_loop(benchmark::State& state, const Measured& measured) {
  const kernels::Entry& entry = *kernels::find_kernel(measured.name);
  const auto inputs = entry.make_input(measured.elements, 1);
  const kernels::KernelCase before = entry.make_case(inputs, 32);
  kernels::KernelCase kernel = before;
  double fastest = std::numeric_limits<double>::infinity();
  CopyInTurns copy(1);
  for (auto _ : state) {
    kernel.arguments = before.arguments;  // not timed
    const double seconds = seconds_of([&] { measured.loop(kernel); });
    state.SetIterationTime(seconds);
    fastest = std::min(fastest, seconds);
    copy.run();
  }
  if (const std::string wrong = entry.verify(before, kernel); !wrong.empty())
    return state.SkipWithError(wrong.c_str());
  state.counters["GB/s"] = bytes_of(kernel) / fastest * 1e-9;
  state.counters["of_memcpy"] = bytes_of(kernel) / fastest / copy.bytes_per_second();
}

const bool registered = [] {
  const int all = available_threads();
  for (const Measured& measured : measured_kernels()) {
    for (const int size : {8, 32, 64}) {
      if (!kernels::find_kernel(measured.name)->undefined_at(size).empty()) continue;
      for (const int threads : {1, all}) {
        benchmark::RegisterBenchmark(
            fmt::format("{}/{}/threads:{}", measured.name, size, threads).c_str(),
            [&measured, size, threads](benchmark::State& state) {
              run_job(state, measured, size, threads);
            })
            ->UseManualTime();
        if (all == 1) break;
      }
    }
    if (measured.loop != nullptr)
      benchmark::RegisterBenchmark(
          fmt::format("{}/loop/threads:1", measured.name).c_str(),
          [&measured](benchmark::State& state) { run_loop(state, measured); })
          ->UseManualTime();
  }
  return true;
}();

}  // namespace
}  // namespace lockstep::bench
