#include <cstdint>
#include <memory>
#include <vector>

#include <catch2/catch.hpp>

#include "driver/gpu.hpp"
#include "support/memory_growth.hpp"

/// \file
/// A program that submits in a loop: the driver takes no memory for good.

using namespace lockstep::test;

namespace {

constexpr const char* count_up = R"(#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer Counts { uint counts[]; };
void main() { counts[gl_GlobalInvocationID.x] += 1; }
)";

/// A device of its own, with a dispatch of two workgroups that counts.
struct Counter {
  Counter() {
    const GpuPipeline pipeline = gpu.pipeline(count_up, {{.bindings = {{0}}, .flags = 0}});
    const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
    gpu.write(set, 0, counts);
    commands = gpu.record([&](VkCommandBuffer to) {
      gpu.bind(to, pipeline, {set});
      gpu.vk.vkCmdDispatch(to, 2, 1, 1);
    });
  }
  void run() {
    gpu.submit(gpu.queues[0], commands);
    gpu.vk.vkQueueWaitIdle(gpu.queues[0]);
  }

  Gpu gpu{{.layer = false}};
  GpuBuffer counts = gpu.buffer(64);
  VkCommandBuffer commands = VK_NULL_HANDLE;
};

}  // namespace

TEST_CASE("submissions in a loop take no memory for good, from one thread and from eight") {
  const Environment environment(8);
  for (const int threads : {1, 8}) {
    constexpr int each = 500;
    std::vector<std::unique_ptr<Counter>> counters;
    for (int thread = 0; thread < threads; ++thread)
      counters.push_back(std::make_unique<Counter>());
    const std::ptrdiff_t growth = memory_growth(
        threads, each, [&](int thread) { counters[static_cast<std::size_t>(thread)]->run(); });
    INFO("threads: " << threads);
    CHECK(growth < 1 << 20);
    for (const auto& counter : counters)
      for (const std::uint32_t count : counter->counts.words()) CHECK(count == 2 * each);
  }
}
