#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include <catch2/catch.hpp>

#include "driver/gpu.hpp"

using namespace lockstep::test;

namespace {

constexpr auto general = VK_IMAGE_LAYOUT_GENERAL;
constexpr VkImageAspectFlags color = VK_IMAGE_ASPECT_COLOR_BIT;
using Words = std::vector<std::uint32_t>;

VkImageCreateInfo image_info(VkImageType type, VkFormat format, VkExtent3D extent,
                             std::uint32_t levels = 1, std::uint32_t layers = 1) {
  VkImageCreateInfo info{};
  info.imageType = type;
  info.format = format;
  info.extent = extent;
  info.mipLevels = levels;
  info.arrayLayers = layers;
  return info;
}

Words words_of(const GpuBuffer& buffer) { return {buffer.words().begin(), buffer.words().end()}; }

}  // namespace

TEST_CASE("texels are copied between buffers and images by rows, slices, levels and layers") {
  const Environment environment;
  Gpu gpu;
  // 4 x 2 texels, two levels, three layers.
  const auto image = gpu.image(image_info(VK_IMAGE_TYPE_2D, VK_FORMAT_R32_UINT, {4, 2, 1}, 2, 3));
  const auto from = gpu.buffer(400), to = gpu.buffer(24 * 4), small = gpu.buffer({9, 9, 9, 9});
  std::iota(from.words().begin(), from.words().end(), 0u);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    const VkClearColorValue zero{};
    const VkImageSubresourceRange all{color, 0, 2, 0, 3};
    gpu.vk.vkCmdClearColorImage(commands, image.image, general, &zero, 1, &all);
    gpu.barrier(commands);
    // Rows of 10 texels, slices of 4 rows, from word 1 on: 2 x 2 texels to layers 1 and 2 at (1, 0).
    const VkBufferImageCopy part{4, 10, 4, {color, 0, 1, 2}, {1, 0, 0}, {2, 2, 1}};
    gpu.vk.vkCmdCopyBufferToImage(commands, from.buffer, image.image, general, 1, &part);
    const VkBufferImageCopy level{80, 0, 0, {color, 1, 2, 1}, {0, 0, 0}, {2, 1, 1}};
    gpu.vk.vkCmdCopyBufferToImage(commands, from.buffer, image.image, general, 1, &level);
    gpu.barrier(commands);
    const VkBufferImageCopy back{0, 0, 0, {color, 0, 0, 3}, {0, 0, 0}, {4, 2, 1}};
    gpu.vk.vkCmdCopyImageToBuffer(commands, image.image, general, to.buffer, 1, &back);
    const VkBufferImageCopy back_level{0, 0, 0, {color, 1, 1, 2}, {0, 0, 0}, {2, 1, 1}};
    gpu.vk.vkCmdCopyImageToBuffer(commands, image.image, general, small.buffer, 1, &back_level);
  }) == VK_SUCCESS);
  Words expected(24, 0);
  for (std::uint32_t layer = 1; layer < 3; ++layer)
    for (std::uint32_t y = 0; y < 2; ++y)
      for (std::uint32_t x = 0; x < 2; ++x)
        expected[layer * 8 + y * 4 + 1 + x] = 1 + (layer - 1) * 40 + y * 10 + x;
  CHECK(words_of(to) == expected);
  CHECK(words_of(small) == Words{0, 0, 20, 21});
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("images are copied between layers and slices, also to another format of that size") {
  const Environment environment;
  Gpu gpu;
  const auto flat = gpu.image(image_info(VK_IMAGE_TYPE_2D, VK_FORMAT_R32_UINT, {2, 2, 1}, 1, 2));
  const auto deep = gpu.image(image_info(VK_IMAGE_TYPE_3D, VK_FORMAT_R8G8B8A8_UINT, {2, 2, 4}));
  const auto from = gpu.buffer({1, 2, 3, 4, 5, 6, 7, 8}), to = gpu.buffer(64);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    const VkBufferImageCopy whole{0, 0, 0, {color, 0, 0, 2}, {}, {2, 2, 1}};
    gpu.vk.vkCmdCopyBufferToImage(commands, from.buffer, flat.image, general, 1, &whole);
    const VkClearColorValue seven{.uint32 = {7, 0, 0, 0}};
    const VkImageSubresourceRange all{color, 0, 1, 0, 1};
    gpu.vk.vkCmdClearColorImage(commands, deep.image, general, &seven, 1, &all);
    gpu.barrier(commands);
    // Layers 0 and 1 become slices 1 and 2, the right column only.
    const VkImageCopy region{{color, 0, 0, 2}, {1, 0, 0}, {color, 0, 0, 1}, {1, 0, 1}, {1, 2, 2}};
    gpu.vk.vkCmdCopyImage(commands, flat.image, general, deep.image, general, 1, &region);
    gpu.barrier(commands);
    const VkBufferImageCopy back{0, 0, 0, {color, 0, 0, 1}, {}, {2, 2, 4}};
    gpu.vk.vkCmdCopyImageToBuffer(commands, deep.image, general, to.buffer, 1, &back);
  }) == VK_SUCCESS);
  CHECK(words_of(to) == Words{7, 7, 7, 7, 7, 2, 7, 4, 7, 6, 7, 8, 7, 7, 7, 7});
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("blits scale, mirror and convert") {
  // Vulkan has blits only on queues for graphics.
  const Environment environment({{"LOCKSTEP_VULKAN_GRAPHICS", "stub"}});
  Gpu gpu;
  const auto bytes = gpu.image(image_info(VK_IMAGE_TYPE_2D, VK_FORMAT_R8_UNORM, {4, 1, 1}));
  const auto floats = gpu.image(image_info(VK_IMAGE_TYPE_2D, VK_FORMAT_R32_SFLOAT, {8, 1, 1}));
  const auto from = gpu.buffer({0xff336600}), to = gpu.buffer(32), linear = gpu.buffer(32);
  const auto blit = [&](VkCommandBuffer commands, VkFilter filter, bool mirrored) {
    VkImageBlit region{
        {color, 0, 0, 1}, {{0, 0, 0}, {4, 1, 1}}, {color, 0, 0, 1}, {{0, 0, 0}, {8, 1, 1}}};
    if (mirrored) std::swap(region.dstOffsets[0].x, region.dstOffsets[1].x);
    gpu.vk.vkCmdBlitImage(commands, bytes.image, general, floats.image, general, 1, &region,
                          filter);
    gpu.barrier(commands);
  };
  const VkBufferImageCopy back{0, 0, 0, {color, 0, 0, 1}, {}, {8, 1, 1}};
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    const VkBufferImageCopy whole{0, 0, 0, {color, 0, 0, 1}, {}, {4, 1, 1}};
    gpu.vk.vkCmdCopyBufferToImage(commands, from.buffer, bytes.image, general, 1, &whole);
    gpu.barrier(commands);
    blit(commands, VK_FILTER_NEAREST, true);
    gpu.vk.vkCmdCopyImageToBuffer(commands, floats.image, general, to.buffer, 1, &back);
    gpu.barrier(commands);
    blit(commands, VK_FILTER_LINEAR, false);
    gpu.vk.vkCmdCopyImageToBuffer(commands, floats.image, general, linear.buffer, 1, &back);
  }) == VK_SUCCESS);
  const double source[4] = {0, 0x66 / 255.0, 0x33 / 255.0, 1};
  std::array<float, 8> result{};
  std::memcpy(result.data(), to.bytes.data(), 32);
  for (std::size_t k = 0; k < 8; ++k) CHECK(result[k] == Approx(source[(7 - k) / 2]));
  std::memcpy(result.data(), linear.bytes.data(), 32);
  for (int k = 0; k < 8; ++k) {
    const double at = std::clamp((k + 0.5) / 2 - 0.5, 0.0, 3.0), low = std::floor(at);
    const double high = source[static_cast<int>(std::min(low + 1, 3.0))];
    CHECK(result[static_cast<std::size_t>(k)] ==
          Approx(source[static_cast<int>(low)] * (1 - (at - low)) + high * (at - low)));
  }
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("shaders see a level and layers of an image, with its components in another order") {
  const Environment environment;
  Gpu gpu;
  constexpr VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  const auto image = gpu.image(image_info(VK_IMAGE_TYPE_2D, format, {4, 4, 1}, 3, 4));
  const auto pipeline =
      gpu.pipeline(R"(#version 450
    layout(set = 0, binding = 0, rgba8) uniform image2D one;
    layout(set = 0, binding = 1) uniform sampler2DArray some;
    layout(set = 0, binding = 2) buffer B { vec4 b[]; };
    layout(local_size_x = 2, local_size_y = 2) in;
    void main() {
      ivec2 p = ivec2(gl_LocalInvocationID.xy);
      if (gl_WorkGroupID.x == 0) imageStore(one, p, vec4(0.2, 0.4, 0.6, 0.8));
      else if (p == ivec2(0)) {
        b[0] = texelFetch(some, ivec3(1, 1, 1), 0);
        b[1] = textureLod(some, vec3(0.5, 0.5, 0.0), 0.0);
        b[2] = vec4(textureSize(some, 0), textureQueryLevels(some));
      }
    })",
                   {{{{.binding = 0, .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
                      {.binding = 1, .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                      {.binding = 2}}}});
  const auto out = gpu.buffer(48);
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  // Level 1 of layer 3; and layers 2 and 3 at levels 1 and 2, as (g, 0, a, 1).
  const VkDescriptorImageInfo storage{
      VK_NULL_HANDLE, gpu.view(image, VK_IMAGE_VIEW_TYPE_2D, format, {color, 1, 1, 3, 1}), general};
  const VkDescriptorImageInfo sampled{
      gpu.sampler({}),
      gpu.view(image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, format, {color, 1, 2, 2, 2},
               {VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_A,
                VK_COMPONENT_SWIZZLE_ONE}),
      general};
  gpu.write(set, 0, storage, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
  gpu.write(set, 1, sampled, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
  gpu.write(set, 2, out);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    const VkClearColorValue dark{.float32 = {1, 0.5F, 0, 0}};
    const VkImageSubresourceRange all{color, 0, 3, 0, 4};
    gpu.vk.vkCmdClearColorImage(commands, image.image, general, &dark, 1, &all);
    gpu.barrier(commands);
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
    gpu.barrier(commands);
    gpu.vk.vkCmdDispatch(commands, 2, 1, 1);
  }) == VK_SUCCESS);
  std::array<float, 12> b{};
  std::memcpy(b.data(), out.bytes.data(), sizeof b);
  const std::array<double, 12> expected{
      0x66 / 255.0, 0, 0xcc / 255.0, 1, 0x80 / 255.0, 0, 0, 1, 2, 2, 2, 2};
  for (std::size_t k = 0; k < b.size(); ++k) {
    INFO(k);
    CHECK(b[k] == Approx(expected[k]));
  }
}

TEST_CASE("a program may write the texels of linear images to memory") {
  const Environment environment;
  Gpu gpu;
  auto info = image_info(VK_IMAGE_TYPE_2D, VK_FORMAT_R32_UINT, {3, 2, 1});
  info.tiling = VK_IMAGE_TILING_LINEAR;
  info.initialLayout = VK_IMAGE_LAYOUT_PREINITIALIZED;
  const auto image = gpu.image(info);
  const VkImageSubresource first{color, 0, 0};
  VkSubresourceLayout layout;
  gpu.vk.vkGetImageSubresourceLayout(gpu.device, image.image, &first, &layout);
  CHECK(layout.size <= image.bytes.size());
  for (std::uint32_t y = 0; y < 2; ++y)
    for (std::uint32_t x = 0; x < 3; ++x) {
      const std::uint32_t value = 10 * y + x;
      std::memcpy(image.bytes.data() + layout.offset + y * layout.rowPitch + 4 * x, &value, 4);
    }
  const auto to = gpu.buffer(24);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    const VkBufferImageCopy back{0, 0, 0, {color, 0, 0, 1}, {}, {3, 2, 1}};
    gpu.vk.vkCmdCopyImageToBuffer(commands, image.image, general, to.buffer, 1, &back);
  }) == VK_SUCCESS);
  CHECK(words_of(to) == Words{0, 1, 2, 10, 11, 12});
}

TEST_CASE("1D images, texel buffers and immutable samplers") {
  const Environment environment;
  Gpu gpu;
  const auto image = gpu.image(image_info(VK_IMAGE_TYPE_1D, VK_FORMAT_R32_SFLOAT, {4, 1, 1}, 1, 2));
  VkSamplerCreateInfo sampler_info{};
  sampler_info.magFilter = sampler_info.minFilter = VK_FILTER_LINEAR;
  sampler_info.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  const VkSampler sampler = gpu.sampler(sampler_info);
  const auto pipeline = gpu.pipeline(
      R"(#version 450
    layout(set = 0, binding = 0) uniform sampler1DArray lines;
    layout(set = 0, binding = 1) uniform usamplerBuffer texels;
    layout(set = 0, binding = 2) buffer B { float b[]; };
    void main() {
      b[0] = texture(lines, vec2(0.5, 1)).x;
      b[1] = texelFetch(lines, ivec2(3, 1), 0).x;
      b[2] = float(texelFetch(texels, 1).y);
      b[3] = float(textureSize(texels));
    })",
      {{{{.binding = 0, .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .samplers = &sampler},
         {.binding = 1, .type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
         {.binding = 2}}}});
  const auto out = gpu.buffer(16), from = gpu.buffer(32), texels = gpu.buffer({0, 0, 0x0807, 0});
  const std::array<float, 8> line{0, 0, 0, 0, 1, 2, 4, 8};
  std::memcpy(from.bytes.data(), line.data(), 32);
  VkBufferViewCreateInfo view_info{};
  view_info.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO;
  view_info.buffer = texels.buffer;
  view_info.format = VK_FORMAT_R8G8_UINT;
  view_info.offset = 0;
  view_info.range = 6;
  VkBufferView texel_view = VK_NULL_HANDLE;
  REQUIRE(gpu.vk.vkCreateBufferView(gpu.device, &view_info, nullptr, &texel_view) == VK_SUCCESS);
  texels.words()[0] = 0x06050403;
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  const VkDescriptorImageInfo lines{
      VK_NULL_HANDLE,
      gpu.view(image, VK_IMAGE_VIEW_TYPE_1D_ARRAY, VK_FORMAT_R32_SFLOAT, {color, 0, 1, 0, 2}),
      general};
  gpu.write(set, 0, lines, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
  VkWriteDescriptorSet write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = set;
  write.dstBinding = 1;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
  write.pTexelBufferView = &texel_view;
  gpu.vk.vkUpdateDescriptorSets(gpu.device, 1, &write, 0, nullptr);
  gpu.write(set, 2, out);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    const VkBufferImageCopy whole{0, 0, 0, {color, 0, 0, 2}, {}, {4, 1, 1}};
    gpu.vk.vkCmdCopyBufferToImage(commands, from.buffer, image.image, general, 1, &whole);
    gpu.barrier(commands);
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_SUCCESS);
  gpu.vk.vkDestroyBufferView(gpu.device, texel_view, nullptr);
  std::array<float, 4> b{};
  std::memcpy(b.data(), out.bytes.data(), sizeof b);
  CHECK(b == std::array<float, 4>{3, 8, 6, 3});
}

namespace {

/// The transfer function of sRGB and its inverse.
double linear_of(double x) { return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4); }
double srgb_of(double x) {
  return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
}

}  // namespace

TEST_CASE("blue may come first, and colours may be on the scale of sRGB, in sampled images") {
  const Environment environment;
  Gpu gpu;
  struct Format {
    VkFormat format;
    bool bgra, srgb;
  };
  const Format formats[] = {{VK_FORMAT_B8G8R8A8_UNORM, true, false},
                            {VK_FORMAT_B8G8R8A8_SRGB, true, true},
                            {VK_FORMAT_R8G8B8A8_SRGB, false, true},
                            {VK_FORMAT_A8B8G8R8_SRGB_PACK32, false, true}};
  VkSamplerCreateInfo sampler_info{};
  sampler_info.magFilter = sampler_info.minFilter = VK_FILTER_LINEAR;
  const VkSampler sampler = gpu.sampler(sampler_info);
  const auto pipeline = gpu.pipeline(
      R"(#version 450
    layout(set = 0, binding = 0) uniform sampler2D image;
    layout(set = 0, binding = 1) buffer B { vec4 b[]; };
    void main() {
      b[0] = texelFetch(image, ivec2(0), 0);
      b[1] = textureLod(image, vec2(0.5), 0.0);
      b[2] = texelFetch(image, ivec2(2, 0), 0);
    })",
      {{{{.binding = 0, .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}, {.binding = 1}}}});
  for (const Format& f : formats) {
    INFO("format " << f.format);
    VkFormatProperties properties{};
    gpu.vk.vkGetPhysicalDeviceFormatProperties(gpu.physical, f.format, &properties);
    CHECK((properties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT) !=
          0);
    CHECK(((properties.optimalTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT) != 0) ==
          (f.bgra && !f.srgb));
    CHECK((properties.bufferFeatures != 0) == (f.bgra && !f.srgb));
    auto info = image_info(VK_IMAGE_TYPE_2D, f.format, {4, 1, 1});
    info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                 VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    const auto image = gpu.image(info);
    const auto from = gpu.buffer({0x80402010, 0x00ff0a80, 0, 0}), out = gpu.buffer(48),
               raw = gpu.buffer(16);
    const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
    const VkDescriptorImageInfo sampled{
        sampler, gpu.view(image, VK_IMAGE_VIEW_TYPE_2D, f.format, {color, 0, 1, 0, 1}), general};
    gpu.write(set, 0, sampled, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
    gpu.write(set, 1, out);
    const VkClearColorValue cleared{.float32 = {0.25F, 0.001F, 1, 0.5F}};
    CHECK(gpu.run([&](VkCommandBuffer commands) {
      const VkImageSubresourceRange all{color, 0, 1, 0, 1};
      gpu.vk.vkCmdClearColorImage(commands, image.image, general, &cleared, 1, &all);
      gpu.barrier(commands);
      const VkBufferImageCopy half{0, 0, 0, {color, 0, 0, 1}, {}, {2, 1, 1}};
      gpu.vk.vkCmdCopyBufferToImage(commands, from.buffer, image.image, general, 1, &half);
      gpu.barrier(commands);
      gpu.bind(commands, pipeline, {set});
      gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
      const VkBufferImageCopy whole{0, 0, 0, {color, 0, 0, 1}, {}, {4, 1, 1}};
      gpu.vk.vkCmdCopyImageToBuffer(commands, image.image, general, raw.buffer, 1, &whole);
    }) == VK_SUCCESS);
    const auto seen = [&](std::uint32_t word, int component) {
      const int byte = f.bgra && component < 3 ? 2 - component : component;
      const double x = (word >> (8 * byte) & 0xff) / 255.0;
      return f.srgb && component < 3 ? linear_of(x) : x;
    };
    std::array<float, 12> b{};
    std::memcpy(b.data(), out.bytes.data(), sizeof b);
    // In the middle of four texels the second and the third weigh the same.
    for (int k = 0; k < 4; ++k) {
      INFO("component " << k);
      const std::uint32_t stored = raw.words()[2];
      const double colour = cleared.float32[k];
      const double scaled = (f.srgb && k < 3 ? srgb_of(colour) : colour) * 255;
      const int byte = f.bgra && k < 3 ? 2 - k : k;
      CHECK(std::abs((stored >> (8 * byte) & 0xff) - scaled) <= 0.5 + 1e-4);
      CHECK(b[static_cast<std::size_t>(k)] == Approx(seen(0x80402010, k)));
      CHECK(b[static_cast<std::size_t>(k) + 4] ==
            Approx((seen(0x00ff0a80, k) + seen(stored, k)) / 2));
      CHECK(b[static_cast<std::size_t>(k) + 8] == Approx(seen(stored, k)));
    }
    CHECK(raw.words()[0] == 0x80402010);
  }
  VkImageFormatProperties limits;
  CHECK(gpu.vk.vkGetPhysicalDeviceImageFormatProperties(
            gpu.physical, VK_FORMAT_B8G8R8A8_SRGB, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
            VK_IMAGE_USAGE_STORAGE_BIT, 0, &limits) == VK_ERROR_FORMAT_NOT_SUPPORTED);
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("blits convert to and from sRGB, and between orders of components") {
  const Environment environment({{"LOCKSTEP_VULKAN_GRAPHICS", "stub"}});
  Gpu gpu;
  auto srgb_info = image_info(VK_IMAGE_TYPE_2D, VK_FORMAT_B8G8R8A8_SRGB, {2, 1, 1});
  srgb_info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  const auto srgb = gpu.image(srgb_info);
  const auto floats =
      gpu.image(image_info(VK_IMAGE_TYPE_2D, VK_FORMAT_R32G32B32A32_SFLOAT, {2, 1, 1}));
  const auto from = gpu.buffer({0xff804020, 0x10080402}), to = gpu.buffer(32),
             again = gpu.buffer(8);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    const VkBufferImageCopy whole{0, 0, 0, {color, 0, 0, 1}, {}, {2, 1, 1}};
    gpu.vk.vkCmdCopyBufferToImage(commands, from.buffer, srgb.image, general, 1, &whole);
    gpu.barrier(commands);
    VkImageBlit region{
        {color, 0, 0, 1}, {{0, 0, 0}, {2, 1, 1}}, {color, 0, 0, 1}, {{0, 0, 0}, {2, 1, 1}}};
    gpu.vk.vkCmdBlitImage(commands, srgb.image, general, floats.image, general, 1, &region,
                          VK_FILTER_NEAREST);
    gpu.barrier(commands);
    gpu.vk.vkCmdCopyImageToBuffer(commands, floats.image, general, to.buffer, 1, &whole);
    std::swap(region.dstOffsets[0].x, region.dstOffsets[1].x);
    gpu.vk.vkCmdBlitImage(commands, floats.image, general, srgb.image, general, 1, &region,
                          VK_FILTER_NEAREST);
    gpu.barrier(commands);
    gpu.vk.vkCmdCopyImageToBuffer(commands, srgb.image, general, again.buffer, 1, &whole);
  }) == VK_SUCCESS);
  std::array<float, 8> b{};
  std::memcpy(b.data(), to.bytes.data(), sizeof b);
  const std::array<double, 8> expected{
      linear_of(0x80 / 255.0), linear_of(0x40 / 255.0), linear_of(0x20 / 255.0), 1,
      linear_of(0x08 / 255.0), linear_of(0x04 / 255.0), linear_of(0x02 / 255.0), 0x10 / 255.0};
  for (std::size_t k = 0; k < b.size(); ++k) CHECK(b[k] == Approx(expected[k]));
  CHECK(words_of(again) == Words{0x10080402, 0xff804020});
  CHECK(to_text(gpu.told()) == "");
}

// Vulkan: integers are converted by first clamping to the representable range of the destination format.
TEST_CASE("blits clamp integers to what the target holds") {
  const Environment environment({{"LOCKSTEP_VULKAN_GRAPHICS", "stub"}});
  Gpu gpu;
  struct Blit {
    VkFormat from, to;
    Words texels, expected;
  };
  const Blit blits[] = {
      {VK_FORMAT_R32_UINT, VK_FORMAT_R16_UINT, {5, 0x12345}, {0xffff0005}},
      {VK_FORMAT_R32_SINT, VK_FORMAT_R16_SINT, {0xffff0000, 0x7fffffff}, {0x7fff8000}},
      {VK_FORMAT_R32_SINT, VK_FORMAT_R16_SINT, {0xfffffffe, 77}, {0x004dfffe}},
      {VK_FORMAT_R32G32_UINT,
       VK_FORMAT_A2B10G10R10_UINT_PACK32,
       {0x400, 9, 0x3ff, 0xffffffff},
       {0x400027ff, 0x400fffff}},
      {VK_FORMAT_R16_SINT, VK_FORMAT_R32_SINT, {0x7fff8000}, {0xffff8000, 0x7fff}},
      {VK_FORMAT_R64_UINT, VK_FORMAT_R32_UINT, {7, 1, 9, 0}, {0xffffffff, 9}},
      {VK_FORMAT_R64_SINT,
       VK_FORMAT_R32_SINT,
       {7, 0x80000000, 0xfffffff9, 0xffffffff},
       {0x80000000, 0xfffffff9}},
      {VK_FORMAT_R32_SINT, VK_FORMAT_R64_SINT, {0xfffffff9, 5}, {0xfffffff9, 0xffffffff, 5, 0}},
  };
  for (const Blit& b : blits) {
    INFO(b.from << " to " << b.to);
    const auto from = gpu.image(image_info(VK_IMAGE_TYPE_2D, b.from, {2, 1, 1})),
               to = gpu.image(image_info(VK_IMAGE_TYPE_2D, b.to, {2, 1, 1}));
    const auto given = gpu.buffer(b.texels.size() * 4), result = gpu.buffer(b.expected.size() * 4);
    std::ranges::copy(b.texels, given.words().begin());
    CHECK(gpu.run([&](VkCommandBuffer commands) {
      const VkBufferImageCopy whole{0, 0, 0, {color, 0, 0, 1}, {}, {2, 1, 1}};
      gpu.vk.vkCmdCopyBufferToImage(commands, given.buffer, from.image, general, 1, &whole);
      gpu.barrier(commands);
      const VkImageBlit all{
          {color, 0, 0, 1}, {{0, 0, 0}, {2, 1, 1}}, {color, 0, 0, 1}, {{0, 0, 0}, {2, 1, 1}}};
      gpu.vk.vkCmdBlitImage(commands, from.image, general, to.image, general, 1, &all,
                            VK_FILTER_NEAREST);
      gpu.barrier(commands);
      gpu.vk.vkCmdCopyImageToBuffer(commands, to.image, general, result.buffer, 1, &whole);
    }) == VK_SUCCESS);
    CHECK(words_of(result) == b.expected);
  }
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("images and views that are not supported say why") {
  const Environment environment;
  Gpu gpu({.layer = false});
  const auto create = [&](VkFormat format, VkImageUsageFlags usage) {
    auto info = image_info(VK_IMAGE_TYPE_2D, format, {4, 4, 1});
    info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = usage;
    VkImage made = VK_NULL_HANDLE;
    const VkResult result = gpu.vk.vkCreateImage(gpu.device, &info, nullptr, &made);
    gpu.vk.vkDestroyImage(gpu.device, made, nullptr);
    return result;
  };
  CHECK(create(VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_IMAGE_USAGE_SAMPLED_BIT) ==
        VK_ERROR_FORMAT_NOT_SUPPORTED);
  CHECK_THAT(to_text(gpu.told()),
             Catch::Contains("an image of format VK_FORMAT_BC1_RGB_UNORM_BLOCK is not supported"));
  CHECK(create(VK_FORMAT_R8G8B8A8_SRGB, VK_IMAGE_USAGE_STORAGE_BIT) ==
        VK_ERROR_FORMAT_NOT_SUPPORTED);
  CHECK_THAT(to_text(gpu.told()), Catch::Contains("VK_FORMAT_R8G8B8A8_SRGB") &&
                                      Catch::Contains("is not supported with usage STORAGE"));
  CHECK(create(VK_FORMAT_D32_SFLOAT, VK_IMAGE_USAGE_SAMPLED_BIT) == VK_ERROR_FORMAT_NOT_SUPPORTED);
  CHECK_THAT(to_text(gpu.told()), Catch::Contains("without a graphics queue"));
  CHECK(create(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_USAGE_SAMPLED_BIT) == VK_SUCCESS);
  // A view may not be of a format that the image's use is not for.
  auto info = image_info(VK_IMAGE_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM, {4, 4, 1});
  info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
  const auto image = gpu.image(info);
  CHECK_THROWS(
      gpu.view(image, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R8G8B8A8_SRGB, {color, 0, 1, 0, 1}));
  CHECK_THAT(to_text(gpu.told()),
             Catch::Contains("a view of format VK_FORMAT_R8G8B8A8_SRGB is not supported with usage "
                             "STORAGE"));
}

TEST_CASE("depth and stencil are cleared, copied and read apart") {
  const Environment environment({{"LOCKSTEP_VULKAN_GRAPHICS", "stub"}});
  Gpu gpu({.layer = false});
  constexpr VkImageAspectFlags depth = VK_IMAGE_ASPECT_DEPTH_BIT,
                               stencil = VK_IMAGE_ASPECT_STENCIL_BIT;
  auto info = image_info(VK_IMAGE_TYPE_2D, VK_FORMAT_D32_SFLOAT_S8_UINT, {2, 2, 1}, 2);
  info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
               VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  VkFormatProperties properties{};
  gpu.vk.vkGetPhysicalDeviceFormatProperties(gpu.physical, info.format, &properties);
  CHECK((properties.optimalTilingFeatures & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT) != 0);
  const auto image = gpu.image(info), other = gpu.image(info);
  const auto pipeline = gpu.pipeline(
      R"(#version 450
    layout(set = 0, binding = 0) uniform sampler2D depths;
    layout(set = 0, binding = 1) uniform usampler2D stencils;
    layout(set = 0, binding = 2) buffer B { float b[]; };
    void main() {
      for (int k = 0; k < 4; ++k) {
        b[2 * k] = texelFetch(depths, ivec2(k % 2, k / 2), 0).x;
        b[2 * k + 1] = float(texelFetch(stencils, ivec2(k % 2, k / 2), 0).x);
      }
      b[8] = texelFetch(depths, ivec2(0), 1).x;
      b[9] = float(texelFetch(stencils, ivec2(0), 1).x);
    })",
      {{{{.binding = 0, .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
         {.binding = 1, .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
         {.binding = 2}}}});
  const VkSampler sampler = gpu.sampler({});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  const auto view = [&](VkImageAspectFlags aspect) {
    return VkDescriptorImageInfo{
        sampler, gpu.view(other, VK_IMAGE_VIEW_TYPE_2D, info.format, {aspect, 0, 2, 0, 1}),
        general};
  };
  gpu.write(set, 0, view(depth), VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
  gpu.write(set, 1, view(stencil), VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
  const auto out = gpu.buffer(40), stencils = gpu.buffer({0x04030201}), back = gpu.buffer(4);
  gpu.write(set, 2, out);
  REQUIRE(gpu.run([&](VkCommandBuffer commands) {
    const VkClearDepthStencilValue value{0.25F, 9};
    const VkImageSubresourceRange both{depth | stencil, 0, 2, 0, 1};
    gpu.vk.vkCmdClearDepthStencilImage(commands, image.image, general, &value, 1, &both);
    gpu.barrier(commands);
    const VkBufferImageCopy to_stencil{0, 0, 0, {stencil, 0, 0, 1}, {}, {2, 2, 1}};
    gpu.vk.vkCmdCopyBufferToImage(commands, stencils.buffer, image.image, general, 1, &to_stencil);
    gpu.barrier(commands);
    VkImageCopy all[2] = {
        {{depth | stencil, 0, 0, 1}, {}, {depth | stencil, 0, 0, 1}, {}, {2, 2, 1}},
        {{depth | stencil, 1, 0, 1}, {}, {depth | stencil, 1, 0, 1}, {}, {1, 1, 1}}};
    gpu.vk.vkCmdCopyImage(commands, image.image, general, other.image, general, 2, all);
    gpu.barrier(commands);
    gpu.vk.vkCmdCopyImageToBuffer(commands, other.image, general, back.buffer, 1, &to_stencil);
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_SUCCESS);
  std::array<float, 10> b{};
  std::memcpy(b.data(), out.bytes.data(), sizeof b);
  CHECK(b == std::array<float, 10>{0.25F, 1, 0.25F, 2, 0.25F, 3, 0.25F, 4, 0.25F, 9});
  CHECK(back.words()[0] == 0x04030201);
}

// Vulkan: the first two elements of the colour are one component of 64 bits.
TEST_CASE("images of 64-bit numbers are cleared to all 64 bits") {
  const Environment environment;
  Gpu gpu;
  for (const VkFormat format : {VK_FORMAT_R64_UINT, VK_FORMAT_R64_SINT}) {
    const auto image = gpu.image(image_info(VK_IMAGE_TYPE_2D, format, {2, 1, 1}));
    const auto raw = gpu.buffer(16);
    const VkClearColorValue cleared{.uint32 = {0x7fffffff, 0xfffffff0, 5, 6}};
    CHECK(gpu.run([&](VkCommandBuffer commands) {
      const VkImageSubresourceRange all{color, 0, 1, 0, 1};
      gpu.vk.vkCmdClearColorImage(commands, image.image, general, &cleared, 1, &all);
      gpu.barrier(commands);
      const VkBufferImageCopy whole{0, 0, 0, {color, 0, 0, 1}, {}, {2, 1, 1}};
      gpu.vk.vkCmdCopyImageToBuffer(commands, image.image, general, raw.buffer, 1, &whole);
    }) == VK_SUCCESS);
    CHECK(words_of(raw) == Words{0x7fffffff, 0xfffffff0, 0x7fffffff, 0xfffffff0});
  }
}

TEST_CASE(
    "shaders store and load images in which blue comes first, through one or several bindings") {
  const Environment environment;
  Gpu gpu;
  const auto image = gpu.image(image_info(VK_IMAGE_TYPE_2D, VK_FORMAT_B8G8R8A8_UNORM, {4, 2, 1}));
  const auto pipeline = gpu.pipeline(
      R"(#version 450
    layout(local_size_x = 4) in;
    layout(set = 0, binding = 0, rgba8) uniform image2D image;
    layout(set = 0, binding = 1, rgba8) readonly uniform image2D same;
    layout(set = 0, binding = 2) buffer B { vec4 b[]; };
    void main() {
      int x = int(gl_LocalInvocationIndex);
      b[x] = imageLoad(image, ivec2(x, 0));
      if (x > 1) imageStore(image, ivec2(x, 0), vec4(x / 255.0, 0.2, 1.0, 0.4));
      b[4 + x] = imageLoad(image, ivec2(x, 0));
      b[8 + x] = imageLoad(same, ivec2(x, 1));
    })",
      {{{{.binding = 0, .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
         {.binding = 1, .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
         {.binding = 2}}}});
  const auto from = gpu.buffer({0x80402010, 0x01020304, 5, 6, 0xff0000ff, 8, 9, 10}),
             out = gpu.buffer(192), raw = gpu.buffer(32);
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  const VkDescriptorImageInfo stored{
      VK_NULL_HANDLE,
      gpu.view(image, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_B8G8R8A8_UNORM, {color, 0, 1, 0, 1}),
      general};
  gpu.write(set, 0, stored, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
  gpu.write(set, 1, stored, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
  gpu.write(set, 2, out);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    const VkBufferImageCopy whole{0, 0, 0, {color, 0, 0, 1}, {}, {4, 2, 1}};
    gpu.vk.vkCmdCopyBufferToImage(commands, from.buffer, image.image, general, 1, &whole);
    gpu.barrier(commands);
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
    gpu.barrier(commands);
    gpu.vk.vkCmdCopyImageToBuffer(commands, image.image, general, raw.buffer, 1, &whole);
  }) == VK_SUCCESS);
  const Words stored_words{0x80402010, 0x01020304, 0x660233ff, 0x660333ff, 0xff0000ff, 8, 9, 10};
  CHECK(words_of(raw) == stored_words);
  std::array<float, 48> b{};
  std::memcpy(b.data(), out.bytes.data(), sizeof b);
  const Words first = words_of(from);
  for (std::size_t x = 0; x < 12; ++x)
    for (std::size_t k = 0; k < 4; ++k) {
      // Red is the third byte, blue the first.
      const std::size_t byte = k < 3 ? 2 - k : k;
      const std::uint32_t word = x < 4 ? first[x] : stored_words[x - 4];
      CHECK(b[4 * x + k] == Approx((word >> (8 * byte) & 0xff) / 255.0));
    }
  CHECK(to_text(gpu.told()) == "");
}
