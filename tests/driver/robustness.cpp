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

TEST_CASE("outside of an image and on its border, a component that the format lacks is as inside") {
  struct Format {
    VkFormat format;
    std::string qualifier, letter;  // in GLSL
    std::uint32_t components;
  };
  const Format formats[] = {
      {VK_FORMAT_R32_UINT, "r32ui", "u", 1},      {VK_FORMAT_R32G32_UINT, "rg32ui", "u", 2},
      {VK_FORMAT_R16G16_SINT, "rg16i", "i", 2},   {VK_FORMAT_R32G32B32A32_UINT, "rgba32ui", "u", 4},
      {VK_FORMAT_R32_SFLOAT, "r32f", "", 1},      {VK_FORMAT_R8_UNORM, "r8", "", 1},
      {VK_FORMAT_R8G8B8A8_UNORM, "rgba8", "", 4},
  };
  for (const Format& format : formats) {
    INFO(format.qualifier);
    const Environment environment;
    Gpu gpu({.robust_buffers = true});
    const bool whole = !format.letter.empty();
    VkSamplerCreateInfo border{};
    border.addressModeU = border.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    border.borderColor =
        whole ? VK_BORDER_COLOR_INT_TRANSPARENT_BLACK : VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
    VkSamplerCreateInfo white = border;
    white.borderColor =
        whole ? VK_BORDER_COLOR_INT_OPAQUE_WHITE : VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
    const VkSampler samplers[] = {gpu.sampler(border), gpu.sampler(white)};
    const auto images = [&](const std::string& text) {
      std::string all;
      for (const char c : text)
        all += c == '$' ? format.qualifier : c == '?' ? format.letter : std::string(1, c);
      return all;
    };
    const std::string bits = whole ? "uvec4" : "floatBitsToUint";
    const auto pipeline =
        gpu.pipeline(images(R"(#version 450
    #extension GL_EXT_samplerless_texture_functions : require
    layout(set = 0, binding = 0, $) uniform ?image2D stored;
    layout(set = 0, binding = 1) uniform ?texture2D sampled;
    layout(set = 0, binding = 2, $) uniform ?imageBuffer stored_buffer;
    layout(set = 0, binding = 3) uniform ?textureBuffer sampled_buffer;
    layout(set = 0, binding = 4) buffer B { int at; uvec4 r[]; };
    layout(set = 0, binding = 5) uniform sampler border[2];
    void main() {
      r[0] = )" + bits + R"((imageLoad(stored, ivec2(0, at)));
      r[1] = )" + bits + R"((texelFetch(sampled, ivec2(at, 0), 0));
      r[2] = )" + bits + R"((imageLoad(stored_buffer, at));
      r[3] = )" + bits + R"((texelFetch(sampled_buffer, at));
      r[4] = )" + bits + R"((textureLod(?sampler2D(sampled, border[0]), vec2(at), 0));
      r[5] = )" + bits + R"((textureLod(?sampler2D(sampled, border[1]), vec2(at), 0));
    })"),
                     {{{{.binding = 0, .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
                        {.binding = 1, .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
                        {.binding = 2, .type = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER},
                        {.binding = 3, .type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
                        {.binding = 4},
                        {.binding = 5,
                         .type = VK_DESCRIPTOR_TYPE_SAMPLER,
                         .count = 2,
                         .samplers = samplers}}}});
    VkImageCreateInfo info{};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = format.format;
    info.extent = {2, 2, 1};
    info.mipLevels = info.arrayLayers = 1;
    const VkImageView view = gpu.view(gpu.image(info), VK_IMAGE_VIEW_TYPE_2D, format.format,
                                      {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1});
    VkBufferViewCreateInfo view_info{};
    view_info.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO;
    view_info.buffer = gpu.buffer(64).buffer;
    view_info.format = format.format;
    view_info.range = VK_WHOLE_SIZE;
    VkBufferView texels = VK_NULL_HANDLE;
    REQUIRE(gpu.vk.vkCreateBufferView(gpu.device, &view_info, nullptr, &texels) == VK_SUCCESS);
    const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
    for (std::uint32_t binding = 0; binding < 2; ++binding)
      gpu.write(set, binding, {VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL},
                binding == 0 ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set;
    write.descriptorCount = 1;
    write.pTexelBufferView = &texels;
    for (const VkDescriptorType type :
         {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER}) {
      write.dstBinding = type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER ? 2 : 3;
      write.descriptorType = type;
      gpu.vk.vkUpdateDescriptorSets(gpu.device, 1, &write, 0, nullptr);
    }
    const auto b = gpu.buffer(16 + 6 * 16);
    for (std::uint32_t& word : b.words()) word = 7;
    b.words()[0] = 100;
    gpu.write(set, 4, b);
    CHECK(gpu.run([&](VkCommandBuffer commands) {
      gpu.bind(commands, pipeline, {set});
      gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
    }) == VK_SUCCESS);
    Words expected{100, 7, 7, 7};
    const std::uint32_t one = whole ? 1 : 0x3f800000, n = format.components;
    for (int k = 0; k < 5; ++k) expected.insert(expected.end(), {0, 0, 0, n < 4 ? one : 0});
    expected.insert(expected.end(), {one, n > 1 ? one : 0, n > 2 ? one : 0, one});
    CHECK(words_of(b) == expected);
    CHECK(to_text(gpu.told()) == "");
    gpu.vk.vkDestroyBufferView(gpu.device, texels, nullptr);
  }
}
