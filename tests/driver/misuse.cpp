#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <fmt/format.h>

#include "driver/gpu.hpp"

/// \file
/// Errors of programs, which must be told or do no harm.

using namespace lockstep::test;

namespace {

template <class T>
T make(VkStructureType type, void* next = nullptr) {
  T made{};
  made.sType = type;
  made.pNext = next;
  return made;
}

constexpr GpuOptions without_layer{.layer = false};

constexpr const char* slow = R"(#version 450
  layout(set = 0, binding = 0) buffer A { uint a[]; };
  void main() { for (uint k = 0; k < a[0]; ++k) atomicAdd(a[1], 1); })";

}  // namespace

TEST_CASE("what a submission uses may be destroyed before it is over") {
  const Environment environment;
  Gpu gpu(without_layer);
  const auto pipeline = gpu.pipeline(slow, {{{{.binding = 0}}}});
  const auto info = make<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
  auto pool_info = make<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  auto buffer_info = make<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  buffer_info.size = 1 << 20;
  buffer_info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                      VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  const auto target = gpu.buffer(1 << 20);
  for (int round = 0; round < 4; ++round) {
    VkFence fence = VK_NULL_HANDLE;
    REQUIRE(gpu.vk.vkCreateFence(gpu.device, &info, nullptr, &fence) == VK_SUCCESS);
    VkCommandPool pool = VK_NULL_HANDLE;
    REQUIRE(gpu.vk.vkCreateCommandPool(gpu.device, &pool_info, nullptr, &pool) == VK_SUCCESS);
    auto commands_info =
        make<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    commands_info.commandPool = pool;
    commands_info.commandBufferCount = 1;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    REQUIRE(gpu.vk.vkAllocateCommandBuffers(gpu.device, &commands_info, &commands) == VK_SUCCESS);
    VkBuffer source = VK_NULL_HANDLE;
    REQUIRE(gpu.vk.vkCreateBuffer(gpu.device, &buffer_info, nullptr, &source) == VK_SUCCESS);
    auto memory_info = make<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    memory_info.allocationSize = buffer_info.size;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    REQUIRE(gpu.vk.vkAllocateMemory(gpu.device, &memory_info, nullptr, &memory) == VK_SUCCESS);
    REQUIRE(gpu.vk.vkBindBufferMemory(gpu.device, source, memory, 0) == VK_SUCCESS);
    void* mapped = nullptr;
    REQUIRE(gpu.vk.vkMapMemory(gpu.device, memory, 0, VK_WHOLE_SIZE, 0, &mapped) == VK_SUCCESS);
    const std::uint32_t first = 50000 + static_cast<std::uint32_t>(round);
    std::memcpy(mapped, &first, sizeof first);
    const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
    const VkDescriptorBufferInfo whole{source, 0, VK_WHOLE_SIZE};
    gpu.write(set, 0, 0, {&whole, 1});
    const auto begin = make<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    gpu.vk.vkBeginCommandBuffer(commands, &begin);
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
    const VkBufferCopy copy{0, 0, 1 << 20};
    gpu.vk.vkCmdCopyBuffer(commands, source, target.buffer, 1, &copy);
    gpu.vk.vkEndCommandBuffer(commands);
    REQUIRE(gpu.submit(gpu.queues[0], commands, fence) == VK_SUCCESS);
    // All of it at once, while the shader counts.
    gpu.vk.vkResetCommandBuffer(commands, 0);
    gpu.vk.vkFreeCommandBuffers(gpu.device, pool, 1, &commands);
    gpu.vk.vkDestroyCommandPool(gpu.device, pool, nullptr);
    gpu.vk.vkDestroyFence(gpu.device, fence, nullptr);
    gpu.vk.vkDestroyBuffer(gpu.device, source, nullptr);
    gpu.vk.vkFreeMemory(gpu.device, memory, nullptr);
    REQUIRE(gpu.vk.vkQueueWaitIdle(gpu.queues[0]) == VK_SUCCESS);
    CHECK(target.words()[0] == first);
    CHECK(target.words()[1] == first);
  }
}

TEST_CASE("a dispatch without a pipeline is told, and loses the device") {
  const Environment environment;
  Gpu gpu(without_layer);
  CHECK(gpu.run([&](VkCommandBuffer commands) { gpu.vk.vkCmdDispatch(commands, 1, 1, 1); }) ==
        VK_ERROR_DEVICE_LOST);
  CHECK_THAT(to_text(gpu.told()), Catch::Contains("a dispatch has no compute pipeline"));
}

TEST_CASE("a child of fork() cannot use its parent's device, and is told so") {
  const Environment environment;
  Gpu gpu(without_layer);
  const auto pipeline = gpu.pipeline(slow, {{{{.binding = 0}}}});
  const auto buffer = gpu.buffer({10, 0});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.write(set, 0, buffer);
  const auto dispatch = [&](VkCommandBuffer commands) {
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  };
  REQUIRE(gpu.run(dispatch) == VK_SUCCESS);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(60);  // a hang ends by a signal
    const bool lost = gpu.run(dispatch) == VK_ERROR_DEVICE_LOST &&
                      gpu.vk.vkQueueWaitIdle(gpu.queues[0]) == VK_ERROR_DEVICE_LOST &&
                      gpu.vk.vkDeviceWaitIdle(gpu.device) == VK_ERROR_DEVICE_LOST;
    gpu.vk.vkDestroyDevice(gpu.device, nullptr);
    _exit(lost ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  // The parent goes on.
  CHECK(gpu.run(dispatch) == VK_SUCCESS);
  CHECK(buffer.words()[1] == 20);
}

TEST_CASE("features that the driver has none of cannot be had, and are written as missing") {
  const Environment environment;
  Gpu gpu(without_layer);
  auto rays = make<VkPhysicalDeviceRayQueryFeaturesKHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR);
  rays.rayQuery = 7;
  auto all = make<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &rays);
  gpu.vk.vkGetPhysicalDeviceFeatures2(gpu.physical, &all);
  CHECK(rays.rayQuery == VK_FALSE);
  const float priority = 1;
  auto queue = make<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  const auto create = [&](VkBool32 wanted) {
    auto asked = make<VkPhysicalDeviceMeshShaderFeaturesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT);
    asked.meshShaderQueries = wanted;
    auto info = make<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &asked);
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    VkDevice made = VK_NULL_HANDLE;
    const VkResult result = gpu.vk.vkCreateDevice(gpu.physical, &info, nullptr, &made);
    if (result == VK_SUCCESS) gpu.vk.vkDestroyDevice(made, nullptr);
    return result;
  };
  CHECK(create(VK_TRUE) == VK_ERROR_FEATURE_NOT_PRESENT);
  CHECK(create(VK_FALSE) == VK_SUCCESS);
}

TEST_CASE("there are as many memory objects as the limit says") {
  const Environment environment;
  Gpu gpu(without_layer);
  VkPhysicalDeviceProperties properties;
  gpu.vk.vkGetPhysicalDeviceProperties(gpu.physical, &properties);
  auto info = make<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  info.allocationSize = 16;
  std::vector<VkDeviceMemory> all;
  VkResult result = VK_SUCCESS;
  while (result == VK_SUCCESS && all.size() <= properties.limits.maxMemoryAllocationCount) {
    VkDeviceMemory memory = VK_NULL_HANDLE;
    result = gpu.vk.vkAllocateMemory(gpu.device, &info, nullptr, &memory);
    if (result == VK_SUCCESS) all.push_back(memory);
  }
  CHECK(result == VK_ERROR_TOO_MANY_OBJECTS);
  CHECK(all.size() == properties.limits.maxMemoryAllocationCount);
  for (VkDeviceMemory memory : all) gpu.vk.vkFreeMemory(gpu.device, memory, nullptr);
  CHECK_THAT(to_text(gpu.told()), Catch::Contains("maxMemoryAllocationCount"));
}

TEST_CASE(
    "with a queue for graphics, objects for drawing are made and drawing is refused when it is "
    "recorded") {
  // What --fail-on-findings looks for: libplacebo, for one, goes on after an error of vkEndCommandBuffer.
  const std::string found =
      (std::filesystem::temp_directory_path() / fmt::format("drawing.{}", getpid())).string();
  const Environment environment({{"LOCKSTEP_VULKAN_GRAPHICS", "stub"}, {"LOCKSTEP_FOUND", found}});
  Gpu gpu(without_layer);
  const auto load = [&](const char* name) { return gpu.vk.vkGetDeviceProcAddr(gpu.device, name); };
  const auto create = reinterpret_cast<PFN_vkCreateRenderPass>(load("vkCreateRenderPass"));
  const auto destroy = reinterpret_cast<PFN_vkDestroyRenderPass>(load("vkDestroyRenderPass"));
  const auto viewport = reinterpret_cast<PFN_vkCmdSetViewport>(load("vkCmdSetViewport"));
  const auto draw = reinterpret_cast<PFN_vkCmdDraw>(load("vkCmdDraw"));
  const auto info = make<VkRenderPassCreateInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO);
  VkRenderPass pass = VK_NULL_HANDLE;
  REQUIRE(create(gpu.device, &info, nullptr, &pass) == VK_SUCCESS);
  destroy(gpu.device, pass, nullptr);
  const auto graphics =
      make<VkGraphicsPipelineCreateInfo>(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
  VkPipeline pipeline = VK_NULL_HANDLE;
  const auto create_pipelines =
      reinterpret_cast<PFN_vkCreateGraphicsPipelines>(load("vkCreateGraphicsPipelines"));
  REQUIRE(create_pipelines(gpu.device, VK_NULL_HANDLE, 1, &graphics, nullptr, &pipeline) ==
          VK_SUCCESS);
  const auto record = [&](bool draws) {
    const VkCommandBuffer commands = gpu.commands();
    const auto begin = make<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    gpu.vk.vkBeginCommandBuffer(commands, &begin);
    gpu.vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    const VkViewport whole{0, 0, 8, 8, 0, 1};
    viewport(commands, 0, 1, &whole);
    if (draws) draw(commands, 3, 1, 0, 0);
    return gpu.vk.vkEndCommandBuffer(commands);
  };
  CHECK(record(false) == VK_SUCCESS);
  CHECK(to_text(gpu.told()) == "");
  CHECK_FALSE(std::filesystem::exists(found));
  CHECK(record(true) == VK_ERROR_FEATURE_NOT_PRESENT);
  CHECK(std::filesystem::remove(found));
  CHECK_THAT(to_text(gpu.told()), Catch::Contains("vkCmdDraw: drawing is not supported"));
  gpu.vk.vkDestroyPipeline(gpu.device, pipeline, nullptr);
}

TEST_CASE("commands that leave a buffer or an image are told, and lose the device") {
  const auto run = [](const auto& record) {
    const Environment environment;
    Gpu gpu(without_layer);
    const auto buffer = gpu.buffer({1, 2, 3, 4});
    VkImageCreateInfo info{};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = VK_FORMAT_R32_UINT;
    info.extent = {2, 2, 1};
    info.mipLevels = info.arrayLayers = 1;
    const auto image = gpu.image(info);
    CHECK(gpu.run([&](VkCommandBuffer commands) { record(gpu, commands, buffer, image); }) ==
          VK_ERROR_DEVICE_LOST);
    return to_text(gpu.told());
  };
  constexpr auto layout = VK_IMAGE_LAYOUT_GENERAL;
  constexpr VkImageSubresourceLayers first_layer{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  CHECK_THAT(run([](Gpu& gpu, VkCommandBuffer commands, const GpuBuffer& buffer, const GpuImage&) {
               const VkBufferCopy region{8, 0, 12};
               gpu.vk.vkCmdCopyBuffer(commands, buffer.buffer, buffer.buffer, 1, &region);
             }),
             Catch::Contains("a command uses 12 bytes from byte 8 of a buffer of 16"));
  CHECK_THAT(run([](Gpu& gpu, VkCommandBuffer commands, const GpuBuffer& buffer, const GpuImage&) {
               gpu.vk.vkCmdDispatchIndirect(commands, buffer.buffer, 8);
             }),
             Catch::Contains("a command uses 12 bytes from byte 8 of a buffer of 16"));
  CHECK_THAT(
      run([&](Gpu& gpu, VkCommandBuffer commands, const GpuBuffer& buffer, const GpuImage& image) {
        const VkBufferImageCopy region{0, 0, 0, first_layer, {1, 0, 0}, {2, 2, 1}};
        gpu.vk.vkCmdCopyBufferToImage(commands, buffer.buffer, image.image, layout, 1, &region);
      }),
      Catch::Contains("texels outside an image: 2 x 2 texels from (1, 0)"));
  CHECK_THAT(
      run([&](Gpu& gpu, VkCommandBuffer commands, const GpuBuffer& buffer, const GpuImage& image) {
        const VkBufferImageCopy region{4, 0, 0, first_layer, {}, {2, 2, 1}};
        gpu.vk.vkCmdCopyImageToBuffer(commands, image.image, layout, buffer.buffer, 1, &region);
      }),
      Catch::Contains("a copy between a buffer and an image runs past the end of the buffer"));
}
