#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <lockstep/lockstep.hpp>

/// \file
/// The loop that lockstep.subgroup.inclusive_add is compared with (bench/python/calls.py): 32 lanes a subgroup, into memory
/// that is new each time, as NumPy's is.

namespace {

constexpr int lanes = 32;

std::size_t subgroups() {
  const char* const elements = std::getenv("LOCKSTEP_BENCH_ELEMENTS");
  return elements == nullptr ? 1'000'000 : std::stoul(elements) / lanes;
}

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

void scan_rows(benchmark::State& state) {
  using Float = lockstep::Lanes<float, lanes>;
  const std::size_t rows = subgroups();
  std::vector<float> values(rows * lanes);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(k % 7);
  for (auto _ : state) {
    const std::unique_ptr<void, Free> memory(std::malloc(values.size() * sizeof(float)));
    auto* const sums = static_cast<float*>(memory.get());
    for (std::size_t row = 0; row < rows; ++row) {
      const Float value = Float::load(values.data() + row * lanes);
      lockstep::subgroupInclusiveAdd(lockstep::Mask<lanes>::all(), value).store(sums + row * lanes);
    }
    benchmark::ClobberMemory();
    float sum = 0;
    for (std::size_t k = (rows - 1) * lanes; k < rows * lanes; ++k) {
      sum += values[k];
      if (sums[k] != sum) state.SkipWithError("a sum is wrong");
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(values.size()) * state.iterations());
}
BENCHMARK(scan_rows)->Unit(benchmark::kMillisecond);

}  // namespace
