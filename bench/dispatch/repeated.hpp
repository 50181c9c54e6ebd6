#pragma once

#include <chrono>
#include <cstddef>
#include <fstream>
#include <thread>
#include <vector>

#include <unistd.h>

#include <benchmark/benchmark.h>

/// \file
/// Dispatches in a loop, as a program makes them that runs for hours: whether the last ones take longer than the first
/// ones, and whether memory grows.

namespace lockstep::bench {

/// Dispatches of one benchmark, in all; few when it runs as a test.
std::size_t repeated_dispatches();

inline double resident_kib() {
  std::ifstream pages("/proc/self/statm");
  double all = 0, resident = 0;
  pages >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1024;
}

/// Times dispatch(thread), called from so many threads, in ten parts.
///
/// us/dispatch: of all. last_of_second: the time of the last part relative to the second (the first makes what later
/// ones use). KiB_grown: resident memory after the last part, less that after the first.
template <class F>
void measure_repeated(benchmark::State& state, int threads, const F& dispatch) {
  constexpr std::size_t parts = 10;
  const std::size_t each = repeated_dispatches() / parts / static_cast<std::size_t>(threads);
  std::vector<double> seconds;
  double first_kib = 0;
  for (auto _ : state) {
    seconds.clear();
    for (std::size_t part = 0; part < parts; ++part) {
      const auto start = std::chrono::steady_clock::now();
      {
        std::vector<std::jthread> running;
        for (int thread = 0; thread < threads; ++thread)
          running.emplace_back([&dispatch, thread, each] {
            for (std::size_t k = 0; k < each; ++k) dispatch(thread);
          });
      }
      seconds.push_back(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      if (part == 0) first_kib = resident_kib();
    }
  }
  double all = 0;
  for (const double s : seconds) all += s;
  state.counters["us/dispatch"] =
      all / static_cast<double>(each * parts * static_cast<std::size_t>(threads)) * 1e6;
  state.counters["last_of_second"] = seconds.back() / seconds[1];
  state.counters["KiB_grown"] = resident_kib() - first_kib;
}

}  // namespace lockstep::bench
