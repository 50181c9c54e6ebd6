#include <algorithm>
#include <array>
#include <vector>

#include <catch2/catch.hpp>

#include "driver/gpu.hpp"

using namespace lockstep::test;

namespace {

constexpr std::uint64_t forever = ~std::uint64_t{0};

/// A submission that waits for a value of a timeline and signals another.
struct TimelineSubmit {
  TimelineSubmit(VkSemaphore semaphore, std::uint64_t wait, std::uint64_t signal,
                 VkCommandBuffer commands) {
    waits.sType = signals.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO;
    waits.semaphore = signals.semaphore = semaphore;
    waits.value = wait;
    signals.value = signal;
    waits.stageMask = signals.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    buffer.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO;
    buffer.commandBuffer = commands;
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2;
    info.waitSemaphoreInfoCount = info.signalSemaphoreInfoCount = info.commandBufferInfoCount = 1;
    info.pWaitSemaphoreInfos = &waits;
    info.pSignalSemaphoreInfos = &signals;
    info.pCommandBufferInfos = &buffer;
  }
  VkSemaphoreSubmitInfo waits{}, signals{};
  VkCommandBufferSubmitInfo buffer{};
  VkSubmitInfo2 info{};
};

VkResult wait_for(Gpu& gpu, VkSemaphore semaphore, std::uint64_t value, std::uint64_t timeout) {
  VkSemaphoreWaitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
  info.semaphoreCount = 1;
  info.pSemaphores = &semaphore;
  info.pValues = &value;
  return gpu.vk.vkWaitSemaphores(gpu.device, &info, timeout);
}

}  // namespace

TEST_CASE("a queue may wait for a timeline before its signal is submitted") {
  const Environment environment;
  Gpu gpu;
  const auto out = gpu.buffer({0, 0, 0});
  const VkSemaphore timeline = gpu.semaphore(true);
  const auto fill = [&](VkDeviceSize at, std::uint32_t from) {
    return gpu.record([&, at, from](VkCommandBuffer commands) {
      if (from == 0) return gpu.vk.vkCmdFillBuffer(commands, out.buffer, 0, 4, 5);
      const VkBufferCopy region{4 * VkDeviceSize{from - 1}, 4 * at, 4};
      gpu.vk.vkCmdCopyBuffer(commands, out.buffer, out.buffer, 1, &region);
    });
  };
  // The last one first, each on a queue of its own.
  const TimelineSubmit third(timeline, 20, 30, fill(2, 2)), second(timeline, 10, 20, fill(1, 1)),
      first(timeline, 1, 10, fill(0, 0));
  REQUIRE(gpu.vk.vkQueueSubmit2(gpu.queues[2], 1, &third.info, VK_NULL_HANDLE) == VK_SUCCESS);
  REQUIRE(gpu.vk.vkQueueSubmit2(gpu.queues[1], 1, &second.info, VK_NULL_HANDLE) == VK_SUCCESS);
  REQUIRE(gpu.vk.vkQueueSubmit2(gpu.queues[0], 1, &first.info, VK_NULL_HANDLE) == VK_SUCCESS);
  CHECK(wait_for(gpu, timeline, 10, 1000000) == VK_TIMEOUT);
  std::uint64_t value = 99;
  CHECK(gpu.vk.vkGetSemaphoreCounterValue(gpu.device, timeline, &value) == VK_SUCCESS);
  CHECK(value == 0);
  VkSemaphoreSignalInfo signal{};
  signal.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO;
  signal.semaphore = timeline;
  signal.value = 1;
  CHECK(gpu.vk.vkSignalSemaphore(gpu.device, &signal) == VK_SUCCESS);
  CHECK(wait_for(gpu, timeline, 30, forever) == VK_SUCCESS);
  CHECK(out.words()[0] == 5);
  CHECK(out.words()[1] == 5);
  CHECK(out.words()[2] == 5);
}

TEST_CASE("queues wait for events that the host sets, and fences for both") {
  const Environment environment;
  Gpu gpu;
  const auto out = gpu.buffer({0});
  VkEventCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO;
  VkEvent event = VK_NULL_HANDLE;
  REQUIRE(gpu.vk.vkCreateEvent(gpu.device, &info, nullptr, &event) == VK_SUCCESS);
  const VkFence done = gpu.fence();
  const VkCommandBuffer commands = gpu.record([&](VkCommandBuffer recorded) {
    gpu.vk.vkCmdWaitEvents(recorded, 1, &event, VK_PIPELINE_STAGE_HOST_BIT,
                           VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, nullptr, 0, nullptr, 0, nullptr);
    gpu.vk.vkCmdFillBuffer(recorded, out.buffer, 0, 4, 5);
    gpu.vk.vkCmdResetEvent(recorded, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  });
  REQUIRE(gpu.submit(gpu.queues[0], commands, done) == VK_SUCCESS);
  CHECK(gpu.vk.vkGetEventStatus(gpu.device, event) == VK_EVENT_RESET);
  CHECK(gpu.vk.vkGetFenceStatus(gpu.device, done) == VK_NOT_READY);
  CHECK(gpu.vk.vkWaitForFences(gpu.device, 1, &done, VK_TRUE, 1000000) == VK_TIMEOUT);
  CHECK(gpu.vk.vkSetEvent(gpu.device, event) == VK_SUCCESS);
  CHECK(gpu.vk.vkWaitForFences(gpu.device, 1, &done, VK_TRUE, forever) == VK_SUCCESS);
  CHECK(out.words()[0] == 5);
  CHECK(gpu.vk.vkGetEventStatus(gpu.device, event) == VK_EVENT_RESET);
  CHECK(gpu.vk.vkResetFences(gpu.device, 1, &done) == VK_SUCCESS);
  CHECK(gpu.vk.vkGetFenceStatus(gpu.device, done) == VK_NOT_READY);
  gpu.vk.vkDestroyEvent(gpu.device, event, nullptr);
}

TEST_CASE("queues wait for events that other queues set") {
  const Environment environment;
  Gpu gpu;
  const auto out = gpu.buffer({0, 0});
  VkEventCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO;
  std::array<VkEvent, 2> events{};
  for (VkEvent& event : events)
    REQUIRE(gpu.vk.vkCreateEvent(gpu.device, &info, nullptr, &event) == VK_SUCCESS);
  VkMemoryBarrier2 barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2;
  barrier.srcStageMask = barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  barrier.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  VkDependencyInfo dependency{};
  dependency.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &barrier;
  const VkDependencyInfo both[]{dependency, dependency};
  const VkCommandBuffer waiting = gpu.record([&](VkCommandBuffer recorded) {
    gpu.vk.vkCmdWaitEvents2(recorded, 2, events.data(), both);
    gpu.vk.vkCmdFillBuffer(recorded, out.buffer, 4, 4, 6);
    gpu.vk.vkCmdResetEvent2(recorded, events[1], VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  });
  const VkCommandBuffer setting = gpu.record([&](VkCommandBuffer recorded) {
    gpu.vk.vkCmdFillBuffer(recorded, out.buffer, 0, 8, 5);
    gpu.vk.vkCmdSetEvent2(recorded, events[0], &dependency);
    gpu.vk.vkCmdSetEvent2(recorded, events[1], &dependency);
  });
  REQUIRE(gpu.submit(gpu.queues[1], setting) == VK_SUCCESS);
  REQUIRE(gpu.submit(gpu.queues[0], waiting) == VK_SUCCESS);
  CHECK(gpu.vk.vkDeviceWaitIdle(gpu.device) == VK_SUCCESS);
  CHECK(out.words()[0] == 5);
  CHECK(out.words()[1] == 6);
  CHECK(gpu.vk.vkGetEventStatus(gpu.device, events[0]) == VK_EVENT_SET);
  CHECK(gpu.vk.vkGetEventStatus(gpu.device, events[1]) == VK_EVENT_RESET);
  CHECK(gpu.vk.vkResetEvent(gpu.device, events[0]) == VK_SUCCESS);
  CHECK(gpu.vk.vkGetEventStatus(gpu.device, events[0]) == VK_EVENT_RESET);
  for (const VkEvent event : events) gpu.vk.vkDestroyEvent(gpu.device, event, nullptr);
}

TEST_CASE("four queues run one pipeline while the host makes and destroys others") {
  const Environment environment;
  Gpu gpu;
  constexpr std::uint32_t submissions = 25;
  constexpr const char* code = R"(#version 450
    layout(local_size_x = 64) in;
    layout(set = 0, binding = 0) buffer A { uint a[]; };
    layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
    void main() { a[gl_GlobalInvocationID.x] += b[gl_LocalInvocationIndex]; })";
  const std::vector<GpuSet> sets{{{{.binding = 0}, {.binding = 1}}}};
  const auto pipeline = gpu.pipeline(code, sets);
  const auto added = gpu.buffer(256);
  for (std::uint32_t k = 0; k < 64; ++k) added.words()[k] = k;
  std::vector<GpuBuffer> results;
  for (const VkQueue queue : gpu.queues) {
    results.push_back(gpu.buffer(4 * 64 * 4));
    std::ranges::fill(results.back().words(), 0u);
    const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
    gpu.write(set, 0, results.back());
    gpu.write(set, 1, added);
    const VkCommandBuffer commands = gpu.record(
        [&](VkCommandBuffer recorded) {
          gpu.bind(recorded, pipeline, {set});
          gpu.vk.vkCmdDispatch(recorded, 4, 1, 1);
          gpu.barrier(recorded);
        },
        VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    for (std::uint32_t k = 0; k < submissions; ++k)
      REQUIRE(gpu.submit(queue, commands) == VK_SUCCESS);
  }
  for (int k = 0; k < 5; ++k) {
    static_cast<void>(gpu.pipeline(code, sets));
    static_cast<void>(gpu.buffer(1024));
  }
  CHECK(gpu.vk.vkDeviceWaitIdle(gpu.device) == VK_SUCCESS);
  for (const GpuBuffer& result : results)
    for (std::uint32_t k = 0; k < result.words().size(); ++k)
      REQUIRE(result.words()[k] == submissions * (k % 64));
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("binary semaphores order queues, and a fence alone follows what was submitted") {
  const Environment environment;
  Gpu gpu;
  const auto pipeline = gpu.pipeline(R"(#version 450
    layout(set = 0, binding = 0) buffer A { uint a; };
    void main() { a = a * 3 + 1; })",
                                     {{{{.binding = 0}}}});
  const auto out = gpu.buffer({0});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.write(set, 0, out);
  const VkCommandBuffer commands = gpu.record(
      [&](VkCommandBuffer recorded) {
        gpu.bind(recorded, pipeline, {set});
        gpu.vk.vkCmdDispatch(recorded, 1, 1, 1);
      },
      VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  std::array<VkSemaphore, 8> semaphores{};
  for (VkSemaphore& semaphore : semaphores) semaphore = gpu.semaphore();
  std::uint32_t expected = 0;
  for (std::size_t k = 0; k < semaphores.size(); ++k) {
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSubmitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    info.waitSemaphoreCount = k == 0 ? 0 : 1;
    info.pWaitSemaphores = k == 0 ? nullptr : &semaphores[k - 1];
    info.pWaitDstStageMask = &stage;
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &semaphores[k];
    REQUIRE(gpu.vk.vkQueueSubmit(gpu.queues[k % 4], 1, &info, VK_NULL_HANDLE) == VK_SUCCESS);
    expected = expected * 3 + 1;
  }
  const VkFence done = gpu.fence();
  REQUIRE(gpu.vk.vkQueueSubmit(gpu.queues[3], 0, nullptr, done) == VK_SUCCESS);
  CHECK(gpu.vk.vkWaitForFences(gpu.device, 1, &done, VK_TRUE, forever) == VK_SUCCESS);
  CHECK(out.words()[0] == expected);
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("atomics of several queues add up") {
  const Environment environment;
  Gpu gpu;
  const auto pipeline = gpu.pipeline(R"(#version 450
    layout(set = 0, binding = 0) buffer A { uint sum; };
    void main() { for (uint k = 0; k < 300000; ++k) atomicAdd(sum, 1u); })",
                                     {{{{.binding = 0}}}});
  const auto sum = gpu.buffer({0});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.write(set, 0, sum);
  for (const VkQueue queue : gpu.queues) {
    const VkCommandBuffer commands = gpu.record([&](VkCommandBuffer recorded) {
      gpu.bind(recorded, pipeline, {set});
      gpu.vk.vkCmdDispatch(recorded, 1, 1, 1);
    });
    REQUIRE(gpu.submit(queue, commands) == VK_SUCCESS);
  }
  CHECK(gpu.vk.vkDeviceWaitIdle(gpu.device) == VK_SUCCESS);
  CHECK(sum.words()[0] == 4 * 300000);
}

TEST_CASE("host calls return while a shader runs") {
  const Environment environment;
  Gpu gpu;
  // It ends when the host writes: the memory is coherent.
  const auto pipeline = gpu.pipeline(R"(#version 450
    layout(set = 0, binding = 0) coherent buffer A { uint go; uint seen; };
    void main() {
      uint n = 0;
      while (atomicOr(go, 0u) == 0 && n < 50000000) ++n;
      seen = atomicOr(go, 0u);
    })",
                                     {{{{.binding = 0}}}});
  const auto flag = gpu.buffer({0, 9});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.write(set, 0, flag);
  const VkCommandBuffer commands = gpu.record([&](VkCommandBuffer recorded) {
    gpu.bind(recorded, pipeline, {set});
    gpu.vk.vkCmdDispatch(recorded, 1, 1, 1);
  });
  const VkFence done = gpu.fence();
  REQUIRE(gpu.submit(gpu.queues[0], commands, done) == VK_SUCCESS);
  CHECK(gpu.vk.vkGetFenceStatus(gpu.device, done) == VK_NOT_READY);
  CHECK(gpu.vk.vkWaitForFences(gpu.device, 1, &done, VK_TRUE, 0) == VK_TIMEOUT);
  // Another queue goes on meanwhile.
  const auto other = gpu.buffer({0});
  const VkCommandBuffer fill = gpu.record(
      [&](VkCommandBuffer recorded) { gpu.vk.vkCmdFillBuffer(recorded, other.buffer, 0, 4, 3); });
  REQUIRE(gpu.submit(gpu.queues[1], fill) == VK_SUCCESS);
  CHECK(gpu.vk.vkQueueWaitIdle(gpu.queues[1]) == VK_SUCCESS);
  CHECK(other.words()[0] == 3);
  CHECK(gpu.vk.vkGetFenceStatus(gpu.device, done) == VK_NOT_READY);
  __atomic_store_n(&flag.words()[0], 1u, __ATOMIC_RELEASE);
  CHECK(gpu.vk.vkWaitForFences(gpu.device, 1, &done, VK_TRUE, forever) == VK_SUCCESS);
  CHECK(flag.words()[1] == 1);
}

TEST_CASE("a brief submission is over when it was submitted, but follows those before it") {
  const Environment environment;
  Gpu gpu;
  const std::vector<GpuSet> sets{{{{.binding = 0}}}};
  const auto slow = gpu.pipeline(R"(#version 450
      layout(set = 0, binding = 0) buffer A { uint a[]; };
      void main() {
        uint sum = 0;
        for (uint k = 0; k < a[0]; ++k) sum += k ^ a[1];
        a[2] = sum == 1 ? 0 : 7;
      })",
                                 sets);
  const auto brief = gpu.pipeline(R"(#version 450
      layout(set = 0, binding = 0) buffer A { uint a[]; };
      void main() { a[3] = a[2] + 1; })",
                                  sets);
  const auto a = gpu.buffer({3'000'000, 5, 0, 0});
  const VkDescriptorSet set = gpu.set(slow.sets[0]);
  gpu.write(set, 0, a);
  const auto commands = [&](const GpuPipeline& pipeline) {
    return gpu.record([&](VkCommandBuffer recorded) {
      gpu.bind(recorded, pipeline, {set});
      gpu.vk.vkCmdDispatch(recorded, 1, 1, 1);
    });
  };
  const VkCommandBuffer of_slow = commands(slow), of_brief = commands(brief);
  const VkFence fence = gpu.fence();
  const auto is_over = [&] { return gpu.vk.vkGetFenceStatus(gpu.device, fence) == VK_SUCCESS; };
  REQUIRE(gpu.submit(gpu.queues[0], of_slow) == VK_SUCCESS);
  REQUIRE(gpu.submit(gpu.queues[0], of_brief, fence) == VK_SUCCESS);
  CHECK_FALSE(is_over());
  CHECK(gpu.vk.vkWaitForFences(gpu.device, 1, &fence, VK_TRUE, forever) == VK_SUCCESS);
  CHECK(a.words()[3] == 8);
  for (std::uint32_t k = 0; k < 100; ++k) {
    gpu.vk.vkResetFences(gpu.device, 1, &fence);
    a.words()[2] = k;
    REQUIRE(gpu.submit(gpu.queues[0], of_brief, fence) == VK_SUCCESS);
    CHECK(is_over());
    CHECK(a.words()[3] == k + 1);
  }
  CHECK(gpu.vk.vkQueueWaitIdle(gpu.queues[0]) == VK_SUCCESS);
  // The thread of the queue goes on, too.
  a.words()[0] = 10;
  REQUIRE(gpu.submit(gpu.queues[0], of_slow) == VK_SUCCESS);
  REQUIRE(gpu.submit(gpu.queues[0], of_brief) == VK_SUCCESS);
  CHECK(gpu.vk.vkQueueWaitIdle(gpu.queues[0]) == VK_SUCCESS);
  CHECK(a.words()[3] == 8);
  for (const Told& told : gpu.told()) CHECK(told.text == "");
}

TEST_CASE("an error of a brief submission loses the device as any other") {
  const Environment environment;
  Gpu gpu({.layer = false});
  const auto pipeline = gpu.pipeline(R"(#version 450
      layout(set = 0, binding = 0) buffer A { uint a[]; };
      layout(local_size_x = 2) in;
      void main() {
        if (gl_LocalInvocationIndex != a[0]) barrier();
        a[1] = 1;
      })",
                                     {{{{.binding = 0}}}});
  const auto a = gpu.buffer({1, 0});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.write(set, 0, a);
  const VkCommandBuffer commands = gpu.record([&](VkCommandBuffer recorded) {
    gpu.bind(recorded, pipeline, {set});
    gpu.vk.vkCmdDispatch(recorded, 1, 1, 1);
  });
  const VkFence fence = gpu.fence();
  CHECK(gpu.submit(gpu.queues[0], commands, fence) == VK_SUCCESS);
  CHECK(gpu.vk.vkWaitForFences(gpu.device, 1, &fence, VK_TRUE, forever) == VK_ERROR_DEVICE_LOST);
  CHECK(gpu.submit(gpu.queues[0], commands) == VK_ERROR_DEVICE_LOST);
  CHECK(gpu.vk.vkQueueWaitIdle(gpu.queues[0]) == VK_ERROR_DEVICE_LOST);
}
