#include "dispatch/repeated.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/lockstep.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/pipeline.hpp>

/// \file
/// 50,000 dispatches of two workgroups: `repeated/device/8` through Device, `repeated/pipeline/8` through Pipeline, from
/// eight threads. `repeated/driver/8`, in driver.cpp, is the same through the Vulkan driver.

namespace lockstep::bench {

std::size_t repeated_dispatches() {
  return std::getenv("LOCKSTEP_BENCH_ELEMENTS") == nullptr ? 50'000 : 800;
}

namespace {

template <class S>
struct CountUp : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{32};
  Buffer<uint> counts;

  void main() { counts[gl_GlobalInvocationID.x] += 1u; }
};

constexpr const char* count_up = R"(#version 450
layout(local_size_x = 32) in;
layout(binding = 0) buffer Counts { uint counts[]; };
void main() { counts[gl_GlobalInvocationID.x] += 1; }
)";

using Counts = std::vector<std::vector<std::uint32_t>>;

/// Each invocation has counted as often as the first: there was a dispatch, and none was lost in part.
bool all_counted(const Counts& counts) {
  for (const auto& those : counts)
    for (const std::uint32_t count : those)
      if (count == 0 || count != those[0]) return false;
  return true;
}

void through_device(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  Counts counts(static_cast<std::size_t>(threads), std::vector<std::uint32_t>(64));
  const Device device{.subgroup_size = 32};
  measure_repeated(state, threads, [&](int thread) {
    device.dispatch<CountUp, 32>({2}, counts[static_cast<std::size_t>(thread)]);
  });
  if (!all_counted(counts)) state.SkipWithError("counts differ");
}

void through_pipeline(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  Counts counts(static_cast<std::size_t>(threads), std::vector<std::uint32_t>(64));
  const auto module = Module::from_glsl(count_up);
  const Pipeline pipeline(module, {.subgroup_size = 32});
  measure_repeated(state, threads, [&](int thread) {
    DescriptorTable table;
    table.bind(0, counts[static_cast<std::size_t>(thread)]);
    pipeline.dispatch(table, {.workgroups = {2}});
  });
  if (!all_counted(counts)) state.SkipWithError("counts differ");
}

BENCHMARK(through_device)->Name("repeated/device")->Arg(1)->Arg(8)->Iterations(1)->UseRealTime();
BENCHMARK(through_pipeline)
    ->Name("repeated/pipeline")
    ->Arg(1)
    ->Arg(8)
    ->Iterations(1)
    ->UseRealTime();

}  // namespace
}  // namespace lockstep::bench
