#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "driver/gpu.hpp"

using namespace lockstep::test;

namespace {

// a[0] is the index of an element outside.
constexpr const char* outside = R"(#version 450
  layout(set = 0, binding = 0) buffer A { uint a[]; };
  layout(set = 0, binding = 1) uniform U { uvec4 u[16]; };
  void main() {
    uint i = a[0];
    a[1] = a[i] + 3;
    a[i] = 99;
    a[2] = u[i].y + 5;
    a[3] = atomicAdd(a[i], 1) + 6;
  })";

const std::vector<GpuSet> sets{
    {{{.binding = 0}, {.binding = 1, .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}}}};

/// Runs it on the first words of buffers that go on behind them.
void run(Gpu& gpu, const GpuPipeline& pipeline, const GpuBuffer& a, const GpuBuffer& u) {
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  const VkDescriptorBufferInfo first{a.buffer, 0, 16}, second{u.buffer, 0, 16};
  gpu.write(set, 0, 0, {&first, 1});
  gpu.write(set, 1, 0, {&second, 1}, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_SUCCESS);
}

using Words = std::vector<std::uint32_t>;

Words words_of(const GpuBuffer& buffer) { return {buffer.words().begin(), buffer.words().end()}; }

const Words untouched_behind{7, 3, 5, 6, 70, 70, 70, 70};

}  // namespace

TEST_CASE(
    "robust accesses outside of a descriptor's range read zero, write nothing, and are no "
    "findings") {
  const Environment environment;
  Gpu gpu({.robust_buffers = true});
  const auto pipeline = gpu.pipeline(outside, sets);
  const auto a = gpu.buffer({7, 0, 0, 0, 70, 70, 70, 70}), u = gpu.buffer(256);
  for (auto& word : u.words()) word = 80;
  run(gpu, pipeline, a, u);
  CHECK(words_of(a) == untouched_behind);
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("a pipeline may be robust by itself, or not") {
  const Environment environment;
  for (const bool device : {false, true}) {
    INFO("device: " << device);
    Gpu gpu({.robust_buffers = device});
    VkPipelineRobustnessCreateInfoEXT own{};
    own.sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT;
    own.storageBuffers = own.uniformBuffers = own.vertexInputs =
        device ? VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT
               : VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT;
    const auto pipeline = gpu.pipeline(outside, sets, 0, &own);
    const auto a = gpu.buffer({7, 0, 0, 0, 70, 70, 70, 70}), u = gpu.buffer(256);
    run(gpu, pipeline, a, u);
    CHECK(words_of(a) == untouched_behind);
    const auto told = gpu.told();
    CHECK(told.empty() == !device);
    for (const Told& one : told) CHECK(one.id == "out-of-bounds");
  }
}

TEST_CASE("texels outside of an image read zero and take no writes") {
  const Environment environment;
  Gpu gpu({.robust_buffers = true});
  const auto pipeline =
      gpu.pipeline(R"(#version 450
    layout(set = 0, binding = 0, r32ui) uniform uimage2D image;
    layout(set = 0, binding = 1) buffer B { uint b[]; };
    void main() {
      ivec2 at = ivec2(b[0], -1);
      imageStore(image, at, uvec4(9));
      b[1] = imageLoad(image, at).x + 5;
      b[2] = imageLoad(image, ivec2(1, 0)).x;
    })",
                   {{{{.binding = 0, .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}, {.binding = 1}}}});
  VkImageCreateInfo info{};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = VK_FORMAT_R32_UINT;
  info.extent = {2, 2, 1};
  info.mipLevels = info.arrayLayers = 1;
  const auto image = gpu.image(info);
  const auto b = gpu.buffer({100, 0, 0});
  const VkImageView view = gpu.view(image, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R32_UINT,
                                    {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.write(set, 0, {VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL},
            VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
  gpu.write(set, 1, b);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    const VkClearColorValue three{.uint32 = {3, 0, 0, 0}};
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    gpu.vk.vkCmdClearColorImage(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, &three, 1, &all);
    gpu.barrier(commands);
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_SUCCESS);
  CHECK(words_of(b) == Words{100, 5, 3});
  CHECK(to_text(gpu.told()) == "");
}
