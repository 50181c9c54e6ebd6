#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include <lockstep/spirv/module.hpp>

#include "capture/vulkan/runner.hpp"
#include "dispatch/repeated.hpp"

/// \file
/// Submissions of two workgroups to the Vulkan driver, from threads with a device each.

namespace lockstep::bench {
namespace {

/// Before anything asks for devices.
const bool found_by_the_loader = [] {
  setenv("VK_ADD_DRIVER_FILES", LOCKSTEP_VULKAN_MANIFEST, 1);
  setenv("LOCKSTEP_SUBGROUP_SIZE", "32", 1);
  return true;
}();

/// A device with a shader that adds up how often it ran.
struct Counter {
  explicit Counter(const Module& module) : pipeline(device, module.words(), {{.binding = 0}}) {
    counts.upload(std::vector<std::byte>(64 * sizeof(std::uint32_t)));
  }
  void run() {
    const vulkan::Resource* resources[] = {&counts};
    pipeline.run({2}, resources);
  }
  bool has_counted() const {
    std::vector<std::uint32_t> words(64);
    counts.download(std::as_writable_bytes(std::span(words)));
    for (const std::uint32_t count : words)
      if (count == 0 || count != words[0]) return false;
    return true;
  }

  vulkan::Device device{"Lockstep"};
  vulkan::Resource counts = vulkan::Resource::buffer(device, 64 * sizeof(std::uint32_t));
  vulkan::Pipeline pipeline;
};

void through_driver(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  const auto module = Module::from_glsl(R"(#version 450
layout(local_size_x = 32) in;
layout(binding = 0) buffer Counts { uint counts[]; };
void main() { counts[gl_GlobalInvocationID.x] += 1; }
)");
  std::vector<std::unique_ptr<Counter>> counters;
  for (int thread = 0; thread < threads; ++thread)
    counters.push_back(std::make_unique<Counter>(module));
  measure_repeated(state, threads,
                   [&](int thread) { counters[static_cast<std::size_t>(thread)]->run(); });
  for (const auto& counter : counters)
    if (!counter->has_counted()) return state.SkipWithError("counts differ");
}

BENCHMARK(through_driver)->Name("repeated/driver")->Arg(1)->Arg(8)->Iterations(1)->UseRealTime();

}  // namespace
}  // namespace lockstep::bench
