#include <numeric>
#include <random>

#include <benchmark/benchmark.h>

#include <prefix_sum/prefix_sum.hpp>

#include "support/bandwidth.hpp"

namespace lockstep::bench {
namespace {

constexpr std::uint32_t workgroups = bandwidth_elements / kernels::prefix_sum_local_size;
/// Each element is read once and written once.
constexpr double read_and_written = 2.0 * sizeof(std::uint32_t) * bandwidth_elements;

const Numbers& values() {
  static const Numbers all = [] {
    Numbers v(bandwidth_elements);
    std::mt19937 random;
    for (std::uint32_t& x : v) x = static_cast<std::uint32_t>(random());
    return v;
  }();
  return all;
}
const Numbers& sums() {
  static const Numbers all = [] {
    Numbers v(values().size());
    std::inclusive_scan(values().begin(), values().end(), v.begin());
    return v;
  }();
  return all;
}

template <int W>
Device device() {
  return {.subgroup_size = W, .threads = 1};
}

/// All three passes.
template <int W>
void prefix_sum(benchmark::State& state) {
  static Numbers out(values().size());
  const auto run = [&] { kernels::prefix_sum<W>(values(), out, device<W>()); };
  std::fill(out.begin(), out.end(), 0u);
  run();
  if (out != sums()) return state.SkipWithError("wrong result");
  compare_with_memcpy(state, read_and_written, run);
}

/// The first pass alone: workgroups scan their parts.
template <int W>
void prefix_sum_scan_pass(benchmark::State& state) {
  static Numbers out(values().size());
  Numbers totals(workgroups);
  const auto run = [&] {
    device<W>().template dispatch<kernels::ScanWorkgroups, W>({workgroups}, values(), out, totals);
  };
  run();
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t start = i - i % kernels::prefix_sum_local_size;
    if (out[i] != sums()[i] - (start == 0 ? 0 : sums()[start - 1]))
      return state.SkipWithError("wrong result");
  }
  compare_with_memcpy(state, read_and_written, run);
}

/// The last pass alone: adds to each part the sum before it.
template <int W>
void prefix_sum_add_pass(benchmark::State& state) {
  static Numbers out(values().size());
  Numbers totals(workgroups);
  std::iota(totals.begin(), totals.end(), 1u);
  std::fill(out.begin(), out.end(), 0u);
  const auto run = [&] {
    device<W>().template dispatch<kernels::AddWorkgroupOffsets, W>({workgroups}, totals, out);
  };
  run();
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] != i / kernels::prefix_sum_local_size) return state.SkipWithError("wrong result");
  }
  compare_with_memcpy(state, read_and_written, run);
}

LOCKSTEP_BENCH_BANDWIDTH(prefix_sum);
LOCKSTEP_BENCH_BANDWIDTH(prefix_sum_scan_pass);
LOCKSTEP_BENCH_BANDWIDTH(prefix_sum_add_pass);

}  // namespace
}  // namespace lockstep::bench
