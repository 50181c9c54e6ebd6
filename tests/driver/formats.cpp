#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "driver/gpu.hpp"

using namespace lockstep::test;

namespace {

constexpr auto any_layout = VK_IMAGE_LAYOUT_GENERAL;
constexpr VkImageAspectFlags color_aspect = VK_IMAGE_ASPECT_COLOR_BIT;
constexpr std::uint32_t side = 256;
constexpr VkImageSubresourceRange whole_range{color_aspect, 0, 1, 0, 1};
constexpr VkBufferImageCopy whole_copy{0, 0, 0, {color_aspect, 0, 0, 1}, {}, {side, side, 1}};

/// A packed format: its components from the highest bit on, as in its name.
struct Packed {
  VkFormat format;
  std::size_t bytes;
  std::vector<std::pair<char, int>> components;
};

std::vector<Packed> packed_fractions() {
  return {{VK_FORMAT_R4G4_UNORM_PACK8, 1, {{'R', 4}, {'G', 4}}},
          {VK_FORMAT_R4G4B4A4_UNORM_PACK16, 2, {{'R', 4}, {'G', 4}, {'B', 4}, {'A', 4}}},
          {VK_FORMAT_B4G4R4A4_UNORM_PACK16, 2, {{'B', 4}, {'G', 4}, {'R', 4}, {'A', 4}}},
          {VK_FORMAT_A4R4G4B4_UNORM_PACK16, 2, {{'A', 4}, {'R', 4}, {'G', 4}, {'B', 4}}},
          {VK_FORMAT_A4B4G4R4_UNORM_PACK16, 2, {{'A', 4}, {'B', 4}, {'G', 4}, {'R', 4}}},
          {VK_FORMAT_R5G6B5_UNORM_PACK16, 2, {{'R', 5}, {'G', 6}, {'B', 5}}},
          {VK_FORMAT_B5G6R5_UNORM_PACK16, 2, {{'B', 5}, {'G', 6}, {'R', 5}}},
          {VK_FORMAT_R5G5B5A1_UNORM_PACK16, 2, {{'R', 5}, {'G', 5}, {'B', 5}, {'A', 1}}},
          {VK_FORMAT_B5G5R5A1_UNORM_PACK16, 2, {{'B', 5}, {'G', 5}, {'R', 5}, {'A', 1}}},
          {VK_FORMAT_A1R5G5B5_UNORM_PACK16, 2, {{'A', 1}, {'R', 5}, {'G', 5}, {'B', 5}}},
          {VK_FORMAT_A2R10G10B10_UNORM_PACK32, 4, {{'A', 2}, {'R', 10}, {'G', 10}, {'B', 10}}}};
}

std::size_t place_of(char component) { return std::string("RGBA").find(component); }

/// Vulkan: a fraction of b bits is the number divided by 2^b - 1.
std::array<float, 4> fractions_of(const Packed& format, std::uint32_t word) {
  std::array<float, 4> texel{0, 0, 0, 1};
  int bits_left = static_cast<int>(format.bytes) * 8;
  for (const auto& [component, bits] : format.components) {
    bits_left -= bits;
    const auto most = (1u << bits) - 1;
    texel[place_of(component)] =
        static_cast<float>(word >> bits_left & most) / static_cast<float>(most);
  }
  if (bits_left != 0) FAIL("components that do not fill the texel");
  return texel;
}

std::uint32_t packed_of(const Packed& format, const std::array<float, 4>& texel) {
  std::uint32_t word = 0;
  for (const auto& [component, bits] : format.components) {
    const double x = std::clamp(double(texel[place_of(component)]), 0.0, 1.0);
    word = word << bits | static_cast<std::uint32_t>(std::lround(x * ((1 << bits) - 1)));
  }
  return word;
}

/// E5B9G9R9: red in the lowest 9 bits; 2^(exponent - 15) times the number divided by 2^9.
std::array<float, 4> shared_of(std::uint32_t word) {
  const float unit = std::exp2(static_cast<float>(word >> 27) - 15 - 9);
  return {static_cast<float>(word & 511) * unit, static_cast<float>(word >> 9 & 511) * unit,
          static_cast<float>(word >> 18 & 511) * unit, 1};
}

/// With the smallest exponent for which the largest component has a number of 9 bits.
std::uint32_t shared_of(const std::array<float, 4>& texel) {
  for (std::uint32_t exponent = 0; exponent < 32; ++exponent) {
    std::uint32_t word = exponent, largest = 0;
    for (std::size_t k = 3; k-- > 0;) {
      const double clamped = std::clamp(double(texel[k]), 0.0, 65408.0);
      const auto number =
          static_cast<std::uint32_t>(std::lround(clamped / std::exp2(double(exponent) - 24)));
      largest = std::max(largest, number);
      word = word << 9 | (number & 511);
    }
    if (largest < 512) return word;
  }
  FAIL("a number does not fit");
  return 0;
}

GpuImage make_image(Gpu& gpu, VkFormat format, VkImageUsageFlags usage) {
  VkImageCreateInfo info{};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = format;
  info.extent = {side, side, 1};
  info.mipLevels = info.arrayLayers = 1;
  info.usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  return gpu.image(info);
}

/// Texels of any bytes: every one of up to 16 bits, and 65536 random ones of 32 bits.
void fill_with_texels(std::span<std::byte> bytes, std::size_t texel_bytes) {
  std::mt19937 random(5);
  for (std::uint32_t k = 0; k < side * side; ++k) {
    const std::uint32_t word = texel_bytes == 4 ? static_cast<std::uint32_t>(random()) : k;
    std::memcpy(bytes.data() + k * texel_bytes, &word, texel_bytes);
  }
}

std::uint32_t texel_at(std::span<const std::byte> bytes, std::size_t texel_bytes, std::size_t k) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + k * texel_bytes, texel_bytes);
  return word;
}

/// What shaders and blits see of all texels, and what clears write.
template <class Decode, class Encode>
void check_format(VkFormat format, std::size_t texel_bytes, Decode decode, Encode encode) {
  CAPTURE(format);
  const Environment environment({{"LOCKSTEP_VULKAN_GRAPHICS", "stub"}});  // for blits
  Gpu gpu;
  const GpuImage image = make_image(gpu, format, VK_IMAGE_USAGE_SAMPLED_BIT);
  const GpuImage floats = make_image(gpu, VK_FORMAT_R32G32B32A32_SFLOAT, 0);
  const auto pipeline = gpu.pipeline(
      R"(#version 450
    layout(local_size_x = 64) in;
    layout(set = 0, binding = 0) uniform sampler2D image;
    layout(set = 0, binding = 1) buffer B { vec4 b[]; };
    void main() {
      int k = int(gl_GlobalInvocationID.x);
      b[k] = texelFetch(image, ivec2(k % 256, k / 256), 0);
      // Between two texels.
      if (k == 0) b[65536] = textureLod(image, vec2(11.0, 100.5) / 256.0, 0.0);
    })",
      {{{{.binding = 0, .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}, {.binding = 1}}}});
  const auto from = gpu.buffer(side * side * 4), seen = gpu.buffer((side * side + 1) * 16),
             blitted = gpu.buffer(side * side * 16);
  fill_with_texels(from.bytes, texel_bytes);
  VkSamplerCreateInfo sampler{};
  sampler.magFilter = sampler.minFilter = VK_FILTER_LINEAR;
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.write(set, 0,
            {gpu.sampler(sampler), gpu.view(image, VK_IMAGE_VIEW_TYPE_2D, format, whole_range),
             any_layout},
            VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
  gpu.write(set, 1, seen);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    gpu.vk.vkCmdCopyBufferToImage(commands, from.buffer, image.image, any_layout, 1, &whole_copy);
    gpu.barrier(commands);
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, side * side / 64, 1, 1);
    const VkImageBlit all{{color_aspect, 0, 0, 1},
                          {{0, 0, 0}, {side, side, 1}},
                          {color_aspect, 0, 0, 1},
                          {{0, 0, 0}, {side, side, 1}}};
    gpu.vk.vkCmdBlitImage(commands, image.image, any_layout, floats.image, any_layout, 1, &all,
                          VK_FILTER_NEAREST);
    gpu.barrier(commands);
    gpu.vk.vkCmdCopyImageToBuffer(commands, floats.image, any_layout, blitted.buffer, 1,
                                  &whole_copy);
  }) == VK_SUCCESS);
  const auto texel_of = [&](const GpuBuffer& buffer, std::size_t k) {
    std::array<float, 4> texel;
    std::memcpy(texel.data(), buffer.bytes.data() + k * 16, 16);
    return texel;
  };
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < side * side; ++k) {
    const auto expected = decode(texel_at(from.bytes, texel_bytes, k));
    wrong += texel_of(seen, k) != expected ? 1 : 0;
    wrong += texel_of(blitted, k) != expected ? 1 : 0;
  }
  CHECK(wrong == 0);
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t left = 100 * side + 10;
    const auto a = decode(texel_at(from.bytes, texel_bytes, left));
    const auto b = decode(texel_at(from.bytes, texel_bytes, left + 1));
    CHECK(texel_of(seen, side * side)[k] == Approx((a[k] + b[k]) / 2));
  }

  std::mt19937 random(6);
  std::uniform_real_distribution<float> some(-0.2F, 1.2F), power(-26, 18);
  for (int trial = 0; trial < 40; ++trial) {
    const float scale = trial < 20 ? 1 : std::exp2(power(random));
    VkClearColorValue value{};
    std::array<float, 4> texel{};
    for (std::size_t k = 0; k < 4; ++k) value.float32[k] = texel[k] = some(random) * scale;
    if (trial == 0) value.float32[1] = texel[1] = std::nextafter(511.5F / 512, 1.0F);
    CHECK(gpu.run([&](VkCommandBuffer commands) {
      gpu.vk.vkCmdClearColorImage(commands, image.image, any_layout, &value, 1, &whole_range);
      gpu.barrier(commands);
      gpu.vk.vkCmdCopyImageToBuffer(commands, image.image, any_layout, from.buffer, 1, &whole_copy);
    }) == VK_SUCCESS);
    CHECK(texel_at(from.bytes, texel_bytes, 0) == encode(texel));
    CHECK(texel_at(from.bytes, texel_bytes, side * side - 1) == encode(texel));
  }
  CHECK(to_text(gpu.told()) == "");
}

}  // namespace

TEST_CASE("packed fractions are sampled, blitted and cleared") {
  for (const Packed& format : packed_fractions())
    check_format(
        format.format, format.bytes, [&](std::uint32_t word) { return fractions_of(format, word); },
        [&](const std::array<float, 4>& texel) { return packed_of(format, texel); });
}

TEST_CASE("floats that share an exponent are sampled, blitted and cleared") {
  check_format(
      VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, 4, [](std::uint32_t word) { return shared_of(word); },
      [](const std::array<float, 4>& texel) { return shared_of(texel); });
}

TEST_CASE("texel buffers in which blue comes first are read and written") {
  const Environment environment;
  Gpu gpu;
  const auto pipeline = gpu.pipeline(
      R"(#version 450
    layout(local_size_x = 8) in;
    layout(set = 0, binding = 0) uniform samplerBuffer texels;
    layout(set = 0, binding = 1, rgba8) uniform imageBuffer stored;
    layout(set = 0, binding = 2) buffer B { vec4 b[]; };
    void main() {
      int x = int(gl_LocalInvocationIndex);
      b[x] = texelFetch(texels, x);
      if (x > 3) imageStore(stored, x, vec4(x / 255.0, 0.2, 1.0, 0.4));
      b[8 + x] = imageLoad(stored, x);
    })",
      {{{{.binding = 0, .type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
         {.binding = 1, .type = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER},
         {.binding = 2}}}});
  const auto uniform = gpu.buffer({1, 0x80402010, 0x01020304, 0xff0000ff, 5, 6, 7, 8}),
             stored = gpu.buffer({9, 10, 0x40302010, 12, 13, 14, 15, 16}), out = gpu.buffer(256);
  const std::vector<std::uint32_t> before(stored.words().begin(), stored.words().end());
  const auto view_of = [&](const GpuBuffer& buffer) {
    VkBufferViewCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO;
    info.buffer = buffer.buffer;
    info.format = VK_FORMAT_B8G8R8A8_UNORM;
    info.range = VK_WHOLE_SIZE;
    VkBufferView view = VK_NULL_HANDLE;
    REQUIRE(gpu.vk.vkCreateBufferView(gpu.device, &info, nullptr, &view) == VK_SUCCESS);
    return view;
  };
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  const VkBufferView views[] = {view_of(uniform), view_of(stored)};
  for (std::uint32_t k = 0; k < 2; ++k) {
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set;
    write.dstBinding = k;
    write.descriptorCount = 1;
    write.descriptorType =
        k == 0 ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    write.pTexelBufferView = &views[k];
    gpu.vk.vkUpdateDescriptorSets(gpu.device, 1, &write, 0, nullptr);
  }
  gpu.write(set, 2, out);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_SUCCESS);
  for (const VkBufferView view : views) gpu.vk.vkDestroyBufferView(gpu.device, view, nullptr);
  std::array<float, 64> b{};
  std::memcpy(b.data(), out.bytes.data(), sizeof b);
  for (std::size_t x = 0; x < 8; ++x) {
    // Blue is the first byte: 1.0, 0.2, x / 255, 0.4.
    const auto expected = x > 3 ? 0x660033ffu | static_cast<std::uint32_t>(x) << 16 : before[x];
    CHECK(stored.words()[x] == expected);
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t byte = k < 3 ? 2 - k : k;
      CHECK(b[4 * x + k] == Approx((uniform.words()[x] >> (8 * byte) & 0xff) / 255.0));
      CHECK(b[32 + 4 * x + k] == Approx((expected >> (8 * byte) & 0xff) / 255.0));
    }
  }
  CHECK(to_text(gpu.told()) == "");
}

namespace {

/// The formats with each use, as far as they are for compute: "Required Format Support" of Vulkan 1.4's specification
/// with shaderStorageImageExtendedFormats. Missing are depth, which only queues for graphics write, and one of three
/// families of compressed formats.
struct Required {
  VkFormatFeatureFlags images, buffers;
  std::vector<VkFormat> formats;
};

std::vector<Required> required_formats() {
  constexpr VkFormatFeatureFlags sampled =
      VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_BLIT_SRC_BIT |
      VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
  constexpr VkFormatFeatureFlags filtered =
      sampled | VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
  constexpr VkFormatFeatureFlags uniform = VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT;
  constexpr VkFormatFeatureFlags storage = VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT;
  constexpr VkFormatFeatureFlags both = uniform | VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT;
  return {
      {filtered,
       0,
       {VK_FORMAT_B4G4R4A4_UNORM_PACK16, VK_FORMAT_R5G6B5_UNORM_PACK16,
        VK_FORMAT_A1R5G5B5_UNORM_PACK16, VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_B8G8R8A8_SRGB,
        VK_FORMAT_A8B8G8R8_SRGB_PACK32, VK_FORMAT_E5B9G9R9_UFLOAT_PACK32}},
      {filtered, uniform, {VK_FORMAT_B8G8R8A8_UNORM}},
      {filtered | storage,
       uniform,
       {VK_FORMAT_R8_UNORM, VK_FORMAT_R8_SNORM, VK_FORMAT_R8G8_UNORM, VK_FORMAT_R8G8_SNORM,
        VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_R16_SFLOAT, VK_FORMAT_R16G16_SFLOAT,
        VK_FORMAT_B10G11R11_UFLOAT_PACK32}},
      {storage,
       0,
       {VK_FORMAT_R16_UNORM, VK_FORMAT_R16_SNORM, VK_FORMAT_R16G16_UNORM, VK_FORMAT_R16G16_SNORM,
        VK_FORMAT_R16G16B16A16_UNORM, VK_FORMAT_R16G16B16A16_SNORM}},
      {filtered, both, {VK_FORMAT_A8B8G8R8_UNORM_PACK32, VK_FORMAT_A8B8G8R8_SNORM_PACK32}},
      {filtered | storage,
       both,
       {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SNORM, VK_FORMAT_R16G16B16A16_SFLOAT}},
      {sampled | storage,
       uniform,
       {VK_FORMAT_R8_UINT, VK_FORMAT_R8_SINT, VK_FORMAT_R8G8_UINT, VK_FORMAT_R8G8_SINT,
        VK_FORMAT_A2B10G10R10_UINT_PACK32, VK_FORMAT_R16_UINT, VK_FORMAT_R16_SINT,
        VK_FORMAT_R16G16_UINT, VK_FORMAT_R16G16_SINT}},
      {sampled, both, {VK_FORMAT_A8B8G8R8_UINT_PACK32, VK_FORMAT_A8B8G8R8_SINT_PACK32}},
      {sampled | storage,
       both,
       {VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R8G8B8A8_SINT, VK_FORMAT_R16G16B16A16_UINT,
        VK_FORMAT_R16G16B16A16_SINT, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_UINT,
        VK_FORMAT_R32G32_SINT, VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32B32A32_UINT,
        VK_FORMAT_R32G32B32A32_SINT, VK_FORMAT_R32G32B32A32_SFLOAT}},
      {sampled | storage | VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT,
       both | VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_ATOMIC_BIT,
       {VK_FORMAT_R32_UINT, VK_FORMAT_R32_SINT}},
  };
}

}  // namespace

TEST_CASE("formats have every use for compute that Vulkan requires") {
  const Environment environment;
  Gpu gpu;
  VkPhysicalDeviceFeatures features{};
  gpu.vk.vkGetPhysicalDeviceFeatures(gpu.physical, &features);
  CHECK(features.shaderStorageImageExtendedFormats == VK_TRUE);
  for (const auto& [images, buffers, formats] : required_formats())
    for (const VkFormat format : formats) {
      CAPTURE(format);
      VkFormatProperties3 more{};
      more.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3;
      VkFormatProperties2 properties{VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, &more, {}};
      gpu.vk.vkGetPhysicalDeviceFormatProperties2(gpu.physical, format, &properties);
      VkFormatProperties first{};
      gpu.vk.vkGetPhysicalDeviceFormatProperties(gpu.physical, format, &first);
      CHECK((first.optimalTilingFeatures & images) == images);
      CHECK((first.bufferFeatures & buffers) == buffers);
      CHECK(properties.formatProperties.optimalTilingFeatures == first.optimalTilingFeatures);
      CHECK(properties.formatProperties.bufferFeatures == first.bufferFeatures);
      CHECK((more.optimalTilingFeatures & images) == images);
      CHECK((more.bufferFeatures & buffers) == buffers);
    }
}

namespace {

Environment::Variable stub_or_not(bool stub) {
  if (stub) return {"LOCKSTEP_VULKAN_GRAPHICS", "stub"};
  return {"LOCKSTEP_THREADS", "2"};
}

}  // namespace

TEST_CASE("with a queue for graphics programs may describe all vertices that Vulkan requires") {
  const std::vector<VkFormat> more{
      VK_FORMAT_R16_UNORM,      VK_FORMAT_R16_SNORM,          VK_FORMAT_R16G16_UNORM,
      VK_FORMAT_R16G16_SNORM,   VK_FORMAT_R16G16B16A16_UNORM, VK_FORMAT_R16G16B16A16_SNORM,
      VK_FORMAT_R32G32B32_UINT, VK_FORMAT_R32G32B32_SINT,     VK_FORMAT_R32G32B32_SFLOAT};
  for (const bool stub : {false, true}) {
    const Environment environment({stub_or_not(stub)});
    Gpu gpu;
    const auto has_vertices = [&](VkFormat format) {
      VkFormatProperties properties{};
      gpu.vk.vkGetPhysicalDeviceFormatProperties(gpu.physical, format, &properties);
      return (properties.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT) != 0;
    };
    for (const VkFormat format : more) CHECK(has_vertices(format) == stub);
    // These are formats of texel buffers as well, but for one.
    for (const auto& [images, buffers, formats] : required_formats())
      for (const VkFormat format : formats)
        if (buffers != 0 && format != VK_FORMAT_B10G11R11_UFLOAT_PACK32)
          CHECK(has_vertices(format) == stub);
    CHECK_FALSE(has_vertices(VK_FORMAT_R8G8B8A8_SRGB));
  }
}

TEST_CASE("compressed formats have no use, and only the stub claims a feature for them") {
  for (const bool stub : {false, true}) {
    const Environment environment({stub_or_not(stub)});
    Gpu gpu({.layer = false});
    VkPhysicalDeviceFeatures features{};
    gpu.vk.vkGetPhysicalDeviceFeatures(gpu.physical, &features);
    CHECK((features.textureCompressionBC == VK_TRUE) == stub);
    CHECK(features.textureCompressionETC2 == VK_FALSE);
    CHECK(features.textureCompressionASTC_LDR == VK_FALSE);
    for (int k = VK_FORMAT_BC1_RGB_UNORM_BLOCK; k <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK; ++k) {
      const auto format = static_cast<VkFormat>(k);
      CAPTURE(stub, k);
      VkFormatProperties properties{};
      gpu.vk.vkGetPhysicalDeviceFormatProperties(gpu.physical, format, &properties);
      CHECK(properties.optimalTilingFeatures == 0);
      CHECK(properties.linearTilingFeatures == 0);
      CHECK(properties.bufferFeatures == 0);
      VkImageCreateInfo info{};
      info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
      info.imageType = VK_IMAGE_TYPE_2D;
      info.format = format;
      info.extent = {side, side, 1};
      info.mipLevels = info.arrayLayers = 1;
      info.samples = VK_SAMPLE_COUNT_1_BIT;
      info.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
      VkImage image = VK_NULL_HANDLE;
      CHECK(gpu.vk.vkCreateImage(gpu.device, &info, nullptr, &image) ==
            VK_ERROR_FORMAT_NOT_SUPPORTED);
      CHECK_THAT(to_text(gpu.told()), Catch::Contains("an image of format VK_FORMAT_") &&
                                          Catch::Contains("_BLOCK is not supported"));
    }
  }
}
