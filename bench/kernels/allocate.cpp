#include <algorithm>
#include <iterator>
#include <random>

#include <benchmark/benchmark.h>

#include <allocate/allocate.hpp>

#include "support/bandwidth.hpp"

namespace lockstep::bench {
namespace {

/// Bytes: each element is read once, and the even half is written once.
template <int W>
void allocate(benchmark::State& state) {
  static const Numbers values = [] {
    Numbers v(bandwidth_elements);
    std::mt19937 random;
    for (std::uint32_t& x : v) x = static_cast<std::uint32_t>(random());
    return v;
  }();
  static Numbers data(values.size());
  Numbers even;
  std::copy_if(values.begin(), values.end(), std::back_inserter(even),
               [](std::uint32_t v) { return v % 2 == 0; });
  const Device device{.subgroup_size = W, .threads = 1};
  // On one thread, subgroups run in order, and slots are allocated in order.
  if (kernels::allocate<W>(values, data, device) != even.size() ||
      !std::equal(even.begin(), even.end(), data.begin()))
    return state.SkipWithError("wrong result");
  const double bytes = sizeof(std::uint32_t) * static_cast<double>(values.size() + even.size());
  compare_with_memcpy(
      state, bytes, [&] { benchmark::DoNotOptimize(kernels::allocate<W>(values, data, device)); });
}
LOCKSTEP_BENCH_BANDWIDTH(allocate);

}  // namespace
}  // namespace lockstep::bench
