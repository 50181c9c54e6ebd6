#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <benchmark/benchmark.h>

#include <lockstep/dispatch/parallel.hpp>

/// \file
/// Memory-bound kernels next to a memcpy of arrays of the same size. They alternate, because both
/// depend on the machine's other load.

namespace lockstep::bench {

using Numbers = std::vector<std::uint32_t>;

/// Elements of the arrays: too many for the caches.
inline constexpr std::size_t bandwidth_elements = std::size_t{1} << 24;

/// The seconds that f takes.
template <class F>
double seconds_of(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A memcpy between arrays too large for the caches, with this many threads, that alternates with
/// the measured function.
class CopyInTurns {
 public:
  explicit CopyInTurns(int threads) : threads_(threads) {}

  void run() {
    static Numbers from(bandwidth_elements, 1), to(bandwidth_elements);
    constexpr std::size_t slices = 64, each = bandwidth_elements / slices;
    const double seconds = seconds_of([&] {
      parallel_ranges(
          slices, threads_,
          [](void*, std::size_t begin, std::size_t end) {
            std::memcpy(to.data() + begin * each, from.data() + begin * each,
                        (end - begin) * each * sizeof from[0]);
          },
          nullptr);
      benchmark::DoNotOptimize(to.data());
    });
    fastest_ = std::min(fastest_, seconds);
  }
  /// Bytes read and written, for the fastest run.
  double bytes_per_second() const {
    return 2.0 * sizeof(std::uint32_t) * static_cast<double>(bandwidth_elements) / fastest_;
  }

 private:
  int threads_;
  double fastest_ = std::numeric_limits<double>::infinity();
};

/// Times f, which reads and writes `bytes`, alternating with a memcpy, and reports the ratio of
/// both bandwidths, the fastest of each, as `of_memcpy`. Requires that f's result has been checked.
template <class F>
void compare_with_memcpy(benchmark::State& state, double bytes, F&& f) {
  double fastest = std::numeric_limits<double>::infinity();
  CopyInTurns copy(1);
  for (auto _ : state) {
    const double seconds = seconds_of(f);
    state.SetIterationTime(seconds);
    fastest = std::min(fastest, seconds);
    copy.run();
  }
  state.counters["GB/s"] = bytes / fastest * 1e-9;
  state.counters["of_memcpy"] = bytes / fastest / copy.bytes_per_second();
}

/// Registers f<W> for the measured widths.
#if defined(LOCKSTEP_BENCH_ONE_SIZE)
#define LOCKSTEP_BENCH_BANDWIDTH(f) BENCHMARK_TEMPLATE(f, 32)->UseManualTime()
#else
#define LOCKSTEP_BENCH_BANDWIDTH(f)           \
  BENCHMARK_TEMPLATE(f, 8)->UseManualTime();  \
  BENCHMARK_TEMPLATE(f, 32)->UseManualTime(); \
  BENCHMARK_TEMPLATE(f, 64)->UseManualTime(); \
  BENCHMARK_TEMPLATE(f, 128)->UseManualTime()
#endif

}  // namespace lockstep::bench
