#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <benchmark/benchmark.h>

/// \file
/// Kernels that walk through memory, beside a memcpy of arrays of the same size: measured in turns with
/// it, because both depend on what else the machine does.

namespace lockstep::bench {

using Numbers = std::vector<std::uint32_t>;

/// Elements of the arrays: too many for the caches.
inline constexpr std::size_t bandwidth_elements = std::size_t{1} << 24;

/// Seconds that f takes.
template <class F>
double seconds_of(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Times f, which reads and writes `bytes`, in turns with a memcpy, and reports both bandwidths'
/// ratio, the fastest of each, as `of_memcpy`. Requires that f's result has been checked.
template <class F>
void compare_with_memcpy(benchmark::State& state, double bytes, F&& f) {
  static Numbers from(bandwidth_elements, 1), to(bandwidth_elements);
  double fastest = std::numeric_limits<double>::infinity(), fastest_copy = fastest;
  for (auto _ : state) {
    const double seconds = seconds_of(f);
    state.SetIterationTime(seconds);
    fastest = std::min(fastest, seconds);
    fastest_copy =
        std::min(fastest_copy, seconds_of([&] {
                   std::memcpy(to.data(), from.data(), from.size() * sizeof(std::uint32_t));
                   benchmark::DoNotOptimize(to.data());
                 }));
  }
  const double copied = 2.0 * sizeof(std::uint32_t) * static_cast<double>(bandwidth_elements);
  state.counters["GB/s"] = bytes / fastest * 1e-9;
  state.counters["of_memcpy"] = bytes / fastest / (copied / fastest_copy);
}

/// Registers f<W> for the widths that kernels are measured at.
#define LOCKSTEP_BENCH_BANDWIDTH(f)           \
  BENCHMARK_TEMPLATE(f, 8)->UseManualTime();  \
  BENCHMARK_TEMPLATE(f, 32)->UseManualTime(); \
  BENCHMARK_TEMPLATE(f, 64)->UseManualTime(); \
  BENCHMARK_TEMPLATE(f, 128)->UseManualTime()

}  // namespace lockstep::bench
