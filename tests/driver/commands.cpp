#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

#include <catch2/catch.hpp>

#include "driver/gpu.hpp"

using namespace lockstep::test;

namespace {

using Words = std::vector<std::uint32_t>;

Words list_of(const GpuBuffer& buffer) { return {buffer.words().begin(), buffer.words().end()}; }

/// Adds the workgroup's number and a push constant to the element of its number, and counts in the first.
constexpr const char* counting = R"(#version 450
  layout(set = 0, binding = 0) buffer A { uint a[]; };
  layout(push_constant) uniform P { uint x, y; };
  void main() { atomicAdd(a[0], 1); a[gl_WorkGroupID.x + 1] = 100 * x + 10 * y + gl_WorkGroupID.x; })";

}  // namespace

TEST_CASE("arguments of indirect dispatches may be written in the same submission") {
  const Environment environment;
  Gpu gpu;
  const auto writer = gpu.pipeline(R"(#version 450
    layout(set = 0, binding = 0) buffer A { uint a[]; };
    void main() { a[1] = 3; a[2] = 1; a[3] = 1; })",
                                   {{{{.binding = 0}}}});
  const auto counter = gpu.pipeline(counting, {{{{.binding = 0}}}}, 8);
  const auto arguments = gpu.buffer({0, 0, 0, 0}), out = gpu.buffer({0, 9, 9, 9, 9});
  const VkDescriptorSet first = gpu.set(writer.sets[0]), second = gpu.set(counter.sets[0]);
  gpu.write(first, 0, arguments);
  gpu.write(second, 0, out);
  const std::array<std::uint32_t, 2> push{1, 2};
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    gpu.bind(commands, writer, {first});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
    gpu.barrier(commands);
    gpu.bind(commands, counter, {second});
    gpu.vk.vkCmdPushConstants(commands, counter.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 8,
                              push.data());
    gpu.vk.vkCmdDispatchIndirect(commands, arguments.buffer, 4);
  }) == VK_SUCCESS);
  CHECK(list_of(out) == Words{3, 120, 121, 122, 9});
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("dispatches have bases, none for no workgroups, and push constants by parts") {
  const Environment environment;
  Gpu gpu;
  const auto pipeline = gpu.pipeline(counting, {{{{.binding = 0}}}}, 8);
  const auto out = gpu.buffer({0, 9, 9, 9, 9});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.write(set, 0, out);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    const std::uint32_t one = 1, five = 5;
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdPushConstants(commands, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &one);
    gpu.vk.vkCmdPushConstants(commands, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 4, 4, &one);
    gpu.vk.vkCmdDispatch(commands, 0, 1, 1);
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
    gpu.vk.vkCmdPushConstants(commands, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 4, 4, &five);
    gpu.barrier(commands);
    gpu.vk.vkCmdDispatch(commands, 2, 1, 1);
  }) == VK_SUCCESS);
  CHECK(list_of(out) == Words{3, 150, 151, 9, 9});
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("a dispatch may begin at another workgroup") {
  const Environment environment;
  Gpu gpu;
  // VK_PIPELINE_CREATE_DISPATCH_BASE_BIT is not set, which only the validation layer sees: its message is expected.
  const auto pipeline = gpu.pipeline(counting, {{{{.binding = 0}}}}, 8);
  const auto out = gpu.buffer({0, 9, 9, 9, 9});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.write(set, 0, out);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    const std::array<std::uint32_t, 2> zero{};
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdPushConstants(commands, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 8,
                              zero.data());
    gpu.vk.vkCmdDispatchBase(commands, 2, 0, 0, 2, 1, 1);
  }) == VK_SUCCESS);
  CHECK(list_of(out) == Words{2, 9, 9, 2, 3});
}

TEST_CASE("buffers are filled, updated and copied") {
  const Environment environment;
  Gpu gpu;
  const auto a = gpu.buffer({1, 2, 3, 4, 5, 6}), b = gpu.buffer({0, 0, 0, 0, 0, 0});
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    gpu.vk.vkCmdFillBuffer(commands, b.buffer, 4, 8, 7);
    gpu.barrier(commands);
    std::array<std::uint32_t, 2> data{8, 9};
    gpu.vk.vkCmdUpdateBuffer(commands, b.buffer, 16, 8, data.data());
    data = {};  // copied when it was recorded
    const std::array regions{VkBufferCopy{4, 0, 4}, VkBufferCopy{20, 12, 4}};
    gpu.vk.vkCmdCopyBuffer(commands, a.buffer, b.buffer, 2, regions.data());
  }) == VK_SUCCESS);
  CHECK(list_of(b) == Words{2, 7, 7, 6, 8, 9});
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("a command buffer may be pending on several queues, and have secondary ones") {
  const Environment environment;
  Gpu gpu;
  const auto pipeline = gpu.pipeline(R"(#version 450
    layout(set = 0, binding = 0) buffer A { uint a; };
    layout(local_size_x = 64) in;
    void main() { atomicAdd(a, 1); })",
                                     {{{{.binding = 0}}}});
  const auto out = gpu.buffer({0});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.write(set, 0, out);
  const VkCommandBuffer secondary = gpu.commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  VkCommandBufferInheritanceInfo inheritance{};
  inheritance.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO;
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  begin.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
  begin.pInheritanceInfo = &inheritance;
  REQUIRE(gpu.vk.vkBeginCommandBuffer(secondary, &begin) == VK_SUCCESS);
  gpu.bind(secondary, pipeline, {set});
  gpu.vk.vkCmdDispatch(secondary, 10, 1, 1);
  REQUIRE(gpu.vk.vkEndCommandBuffer(secondary) == VK_SUCCESS);
  const VkCommandBuffer commands = gpu.record(
      [&](VkCommandBuffer recorded) { gpu.vk.vkCmdExecuteCommands(recorded, 1, &secondary); },
      VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  for (int k = 0; k < 8; ++k) REQUIRE(gpu.submit(gpu.queues[k % 4], commands) == VK_SUCCESS);
  CHECK(gpu.vk.vkDeviceWaitIdle(gpu.device) == VK_SUCCESS);
  CHECK(list_of(out) == Words{8 * 640});
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("memory is mapped at an offset, and the host's can be imported") {
  const Environment environment;
  Gpu gpu;
  constexpr std::size_t page = 4096;
  const std::unique_ptr<void, decltype(&std::free)> host(std::aligned_alloc(page, page), std::free);
  auto* const words = static_cast<std::uint32_t*>(host.get());
  for (std::uint32_t k = 0; k < 1024; ++k) words[k] = k;
  VkImportMemoryHostPointerInfoEXT import{};
  import.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT;
  import.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
  import.pHostPointer = host.get();
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.pNext = &import;
  info.allocationSize = page;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  REQUIRE(gpu.vk.vkAllocateMemory(gpu.device, &info, nullptr, &memory) == VK_SUCCESS);
  void* mapped = nullptr;
  REQUIRE(gpu.vk.vkMapMemory(gpu.device, memory, 64, 64, 0, &mapped) == VK_SUCCESS);
  CHECK(mapped == words + 16);
  VkExternalMemoryBufferCreateInfo external{};
  external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO;
  external.handleTypes = import.handleType;
  VkBufferCreateInfo buffer_info{};
  buffer_info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  buffer_info.pNext = &external;
  buffer_info.size = 64;
  buffer_info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBuffer buffer = VK_NULL_HANDLE;
  REQUIRE(gpu.vk.vkCreateBuffer(gpu.device, &buffer_info, nullptr, &buffer) == VK_SUCCESS);
  VkMemoryRequirements needs;
  gpu.vk.vkGetBufferMemoryRequirements(gpu.device, buffer, &needs);
  REQUIRE(gpu.vk.vkBindBufferMemory(gpu.device, buffer, memory, 128) == VK_SUCCESS);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    gpu.vk.vkCmdFillBuffer(commands, buffer, 0, 4, 77);
  }) == VK_SUCCESS);
  CHECK(words[31] == 31);
  CHECK(words[32] == 77);
  CHECK(words[33] == 33);
  gpu.vk.vkDestroyBuffer(gpu.device, buffer, nullptr);
  gpu.vk.vkFreeMemory(gpu.device, memory, nullptr);
  CHECK(words[33] == 33);  // it is still the program's
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("copies and blits by their second versions") {
  const Environment environment({{"LOCKSTEP_VULKAN_GRAPHICS", "stub"}});  // blits need such a queue
  Gpu gpu;
  VkImageCreateInfo image_info{};
  image_info.imageType = VK_IMAGE_TYPE_2D;
  image_info.format = VK_FORMAT_R32_UINT;
  image_info.extent = {2, 1, 1};
  image_info.mipLevels = image_info.arrayLayers = 1;
  const auto first = gpu.image(image_info), second = gpu.image(image_info),
             third = gpu.image(image_info);
  const auto from = gpu.buffer({1, 2, 3}), between = gpu.buffer({0, 0, 0}), to = gpu.buffer({0, 0});
  constexpr auto general = VK_IMAGE_LAYOUT_GENERAL;
  constexpr VkImageSubresourceLayers layer{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  const VkBufferCopy2 words{VK_STRUCTURE_TYPE_BUFFER_COPY_2, nullptr, 4, 0, 8};
  const VkCopyBufferInfo2 buffers{
      VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2, nullptr, from.buffer, between.buffer, 1, &words};
  const VkBufferImageCopy2 texels{
      VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2, nullptr, 0, 0, 0, layer, {}, {2, 1, 1}};
  const VkCopyBufferToImageInfo2 in{VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2,
                                    nullptr,
                                    between.buffer,
                                    first.image,
                                    general,
                                    1,
                                    &texels};
  const VkImageCopy2 part{
      VK_STRUCTURE_TYPE_IMAGE_COPY_2, nullptr, layer, {1, 0, 0}, layer, {0, 0, 0}, {1, 1, 1}};
  const VkCopyImageInfo2 images{VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2,
                                nullptr,
                                first.image,
                                general,
                                second.image,
                                general,
                                1,
                                &part};
  const VkImageBlit2 mirror{VK_STRUCTURE_TYPE_IMAGE_BLIT_2, nullptr, layer,
                            {{0, 0, 0}, {2, 1, 1}},         layer,   {{2, 0, 0}, {0, 1, 1}}};
  const VkBlitImageInfo2 blit{VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2,
                              nullptr,
                              second.image,
                              general,
                              third.image,
                              general,
                              1,
                              &mirror,
                              VK_FILTER_NEAREST};
  const VkCopyImageToBufferInfo2 out{VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2,
                                     nullptr,
                                     third.image,
                                     general,
                                     to.buffer,
                                     1,
                                     &texels};
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    const VkClearColorValue nine{.uint32 = {9, 0, 0, 0}};
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    gpu.vk.vkCmdClearColorImage(commands, second.image, general, &nine, 1, &all);
    gpu.vk.vkCmdCopyBuffer2(commands, &buffers);
    gpu.barrier(commands);
    gpu.vk.vkCmdCopyBufferToImage2(commands, &in);
    gpu.barrier(commands);
    gpu.vk.vkCmdCopyImage2(commands, &images);
    gpu.barrier(commands);
    gpu.vk.vkCmdBlitImage2(commands, &blit);
    gpu.barrier(commands);
    gpu.vk.vkCmdCopyImageToBuffer2(commands, &out);
  }) == VK_SUCCESS);
  // 2, 3 become 3, 9 and are mirrored.
  CHECK(to.words()[0] == 9);
  CHECK(to.words()[1] == 3);
  CHECK(to_text(gpu.told()) == "");
}
