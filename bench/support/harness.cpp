#include "support/harness.hpp"

#include <benchmark/benchmark.h>

namespace lockstep::bench {
namespace {

// The largest result: a ballot for each of 128 lanes, sixteen times.
constexpr int most_bytes = 2048 * 4 * static_cast<int>(sizeof(std::uint32_t));
alignas(64) unsigned char results[2][most_bytes];

bool agree(const Pair& pair) {
  pair.built_in(pair.operands, results[0]);
  pair.scalar(pair.operands, results[1]);
  return pair.same(pair.operands, results[0], results[1]);
}

void measure(benchmark::State& state, const Pair& pair, Run run) {
  if (!agree(pair)) {
    state.SkipWithError("the built-in and the scalar loop disagree");
    return;
  }
  while (state.KeepRunningBatch(pair.calls)) run(pair.operands, results[0]);
}

}  // namespace

void add(const Pair& pair) {
  benchmark::RegisterBenchmark(
      pair.name.c_str(), [pair](benchmark::State& state) { measure(state, pair, pair.built_in); });
  benchmark::RegisterBenchmark((pair.name + "/scalar").c_str(), [pair](benchmark::State& state) {
    measure(state, pair, pair.scalar);
  });
}

}  // namespace lockstep::bench
