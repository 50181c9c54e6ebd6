#include <algorithm>
#include <random>

#include <benchmark/benchmark.h>

#include <max_reduce/max_reduce.hpp>

#include "support/bandwidth.hpp"

namespace lockstep::bench {
namespace {

/// Bytes: each element is read once.
template <int W>
void max_reduce(benchmark::State& state) {
  static const Numbers values = [] {
    Numbers v(bandwidth_elements);
    std::mt19937 random;
    for (std::uint32_t& x : v) x = static_cast<std::uint32_t>(random());
    return v;
  }();
  const Device device{.subgroup_size = W, .threads = 1};
  if (kernels::max_reduce<W>(values, device) != *std::max_element(values.begin(), values.end()))
    return state.SkipWithError("wrong result");
  compare_with_memcpy(state, sizeof(std::uint32_t) * static_cast<double>(values.size()),
                      [&] { benchmark::DoNotOptimize(kernels::max_reduce<W>(values, device)); });
}
LOCKSTEP_BENCH_BANDWIDTH(max_reduce);

}  // namespace
}  // namespace lockstep::bench
