#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "driver/gpu.hpp"

using namespace lockstep::test;

namespace {

constexpr auto in_general = VK_IMAGE_LAYOUT_GENERAL;
constexpr VkImageAspectFlags of_color = VK_IMAGE_ASPECT_COLOR_BIT;
constexpr VkSampleCountFlags counts = 0x1f;
constexpr std::uint32_t width = 5, height = 3;

Environment with_stub() { return Environment({{"LOCKSTEP_VULKAN_GRAPHICS", "stub"}}); }

VkImageCreateInfo sampled_info(VkFormat format, std::uint32_t samples, std::uint32_t layers) {
  VkImageCreateInfo info{};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = format;
  info.extent = {width, height, 1};
  info.mipLevels = 1;
  info.arrayLayers = layers;
  info.samples = static_cast<VkSampleCountFlagBits>(samples);
  return info;
}

/// All texels of all layers, sample by sample: sample s of texel (x, y) of layer z is at number(x, y, z, s).
struct Samples {
  std::uint32_t samples, layers;
  std::vector<std::uint32_t> words =
      std::vector<std::uint32_t>(std::size_t{width} * height * layers * samples);

  std::size_t number(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t s) const {
    return ((std::size_t{z} * samples + s) * height + y) * width + x;
  }
  std::uint32_t& at(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t s) {
    return words[number(x, y, z, s)];
  }
};

/// Moves all samples of an image of one component of 32 bits between it and a buffer, by a shader.
class Mover {
 public:
  Mover(Gpu& gpu, std::uint32_t layers)
      : gpu_(gpu),
        layers_(layers),
        pipeline_(gpu.pipeline(
            R"(#version 450
    layout(local_size_x = 5, local_size_y = 3) in;
    layout(set = 0, binding = 0, r32ui) uniform uimage2DMSArray image;
    layout(set = 0, binding = 1) buffer B { uint b[]; };
    layout(push_constant) uniform P { uint stores; };
    void main() {
      int samples = imageSamples(image), layer = int(gl_WorkGroupID.x), s = int(gl_WorkGroupID.y);
      ivec3 at = ivec3(gl_LocalInvocationID.xy, layer);
      uint k = ((layer * samples + s) * 3 + at.y) * 5 + at.x;
      if (stores != 0) imageStore(image, at, s, uvec4(b[k]));
      else b[k] = imageLoad(image, at, s).x;
    })",
            {{{{.binding = 0, .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}, {.binding = 1}}}}, 4)) {}

  void store(VkCommandBuffer commands, const GpuImage& image, const GpuBuffer& from,
             std::uint32_t samples) {
    move(commands, image, from, samples, 1);
  }
  void load(VkCommandBuffer commands, const GpuImage& image, const GpuBuffer& to,
            std::uint32_t samples) {
    move(commands, image, to, samples, 0);
  }

 private:
  void move(VkCommandBuffer commands, const GpuImage& image, const GpuBuffer& buffer,
            std::uint32_t samples, std::uint32_t stores) {
    const VkDescriptorSet set = gpu_.set(pipeline_.sets[0]);
    const VkImageView view = gpu_.view(image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_FORMAT_R32_UINT,
                                       {of_color, 0, 1, 0, layers_});
    gpu_.write(set, 0, {VK_NULL_HANDLE, view, in_general}, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
    gpu_.write(set, 1, buffer);
    gpu_.bind(commands, pipeline_, {set});
    gpu_.vk.vkCmdPushConstants(commands, pipeline_.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4,
                               &stores);
    gpu_.vk.vkCmdDispatch(commands, layers_, samples, 1);
    gpu_.barrier(commands);
  }

  Gpu& gpu_;
  std::uint32_t layers_;
  GpuPipeline pipeline_;
};

std::vector<std::uint32_t> all_words_of(const GpuBuffer& buffer) {
  return {buffer.words().begin(), buffer.words().end()};
}

}  // namespace

TEST_CASE("images have several samples where Vulkan allows them") {
  for (const bool stub : {false, true}) {
    INFO("stub " << stub);
    const Environment environment({{"LOCKSTEP_VULKAN_GRAPHICS", stub ? "stub" : ""}});
    Gpu gpu;
    VkPhysicalDeviceProperties properties{};
    gpu.vk.vkGetPhysicalDeviceProperties(gpu.physical, &properties);
    const VkPhysicalDeviceLimits& limits = properties.limits;
    for (const VkSampleCountFlags of :
         {limits.sampledImageColorSampleCounts, limits.sampledImageIntegerSampleCounts,
          limits.sampledImageDepthSampleCounts, limits.sampledImageStencilSampleCounts,
          limits.storageImageSampleCounts, limits.framebufferColorSampleCounts,
          limits.framebufferDepthSampleCounts, limits.framebufferStencilSampleCounts,
          limits.framebufferNoAttachmentsSampleCounts})
      CHECK(of == counts);
    VkPhysicalDeviceFeatures features{};
    gpu.vk.vkGetPhysicalDeviceFeatures(gpu.physical, &features);
    CHECK(features.shaderStorageImageMultisample == VK_TRUE);
    const auto counts_of = [&](VkFormat format, VkImageType type, VkImageTiling tiling,
                               VkImageCreateFlags flags) {
      VkImageFormatProperties found{};
      CHECK(gpu.vk.vkGetPhysicalDeviceImageFormatProperties(gpu.physical, format, type, tiling,
                                                            VK_IMAGE_USAGE_SAMPLED_BIT, flags,
                                                            &found) == VK_SUCCESS);
      return found.sampleCounts;
    };
    constexpr auto d2 = VK_IMAGE_TYPE_2D;
    constexpr auto optimal = VK_IMAGE_TILING_OPTIMAL;
    for (const VkFormat format : {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32_UINT, VK_FORMAT_R16_SINT})
      CHECK(counts_of(format, d2, optimal, 0) == (stub ? counts : 1));
    if (stub) CHECK(counts_of(VK_FORMAT_D32_SFLOAT_S8_UINT, d2, optimal, 0) == counts);
    CHECK(counts_of(VK_FORMAT_R64_UINT, d2, optimal, 0) == 1);  // not to be drawn to
    CHECK(counts_of(VK_FORMAT_R32_UINT, d2, VK_IMAGE_TILING_LINEAR, 0) == 1);
    CHECK(counts_of(VK_FORMAT_R32_UINT, VK_IMAGE_TYPE_1D, optimal, 0) == 1);
    CHECK(counts_of(VK_FORMAT_R32_UINT, VK_IMAGE_TYPE_3D, optimal, 0) == 1);
    CHECK(counts_of(VK_FORMAT_R32_UINT, d2, optimal, VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) == 1);
    CHECK(to_text(gpu.told()) == "");
  }
}

TEST_CASE("images that cannot have several samples say why") {
  const auto told_of = [](bool stub, std::uint32_t samples, std::uint32_t levels) {
    const Environment environment({{"LOCKSTEP_VULKAN_GRAPHICS", stub ? "stub" : ""}});
    Gpu gpu({.layer = false});
    auto info = sampled_info(VK_FORMAT_R32_UINT, samples, 1);
    info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
    info.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
    info.mipLevels = levels;
    VkImage made = VK_NULL_HANDLE;
    CHECK(gpu.vk.vkCreateImage(gpu.device, &info, nullptr, &made) == VK_ERROR_FEATURE_NOT_PRESENT);
    return to_text(gpu.told());
  };
  CHECK_THAT(told_of(false, 4, 1), Catch::Contains("an image with 4 samples is not supported: only "
                                                   "2D images with optimal tiling") &&
                                       Catch::Contains("with --graphics-stub"));
  CHECK_THAT(told_of(true, 32, 1), Catch::Contains("an image with 32 samples is not supported: 1, "
                                                   "2, 4, 8 and 16 are"));
  CHECK_THAT(told_of(true, 4, 2), Catch::Contains("at 2 levels: it has one"));
}

TEST_CASE("shaders store, load and fetch each sample of each layer") {
  const Environment environment = with_stub();
  Gpu gpu;
  constexpr std::uint32_t layers = 3;
  Mover mover(gpu, layers);
  const auto fetch = gpu.pipeline(
      R"(#version 450
    #extension GL_EXT_samplerless_texture_functions : require
    layout(local_size_x = 5, local_size_y = 3) in;
    layout(set = 0, binding = 0) uniform utexture2DMSArray array;
    layout(set = 0, binding = 1) uniform utexture2DMS one;
    layout(set = 0, binding = 2) buffer B { uint b[]; };
    layout(set = 0, binding = 3) buffer C { ivec4 c[2]; };
    layout(set = 0, binding = 4, r32ui) uniform uimage2DMS stored;
    void main() {
      int samples = textureSamples(array), s = int(gl_WorkGroupID.y);
      int layer = int(gl_WorkGroupID.x);
      ivec2 at = ivec2(gl_LocalInvocationID.xy);
      uint k = ((layer * samples + s) * 3 + at.y) * 5 + at.x;
      b[k] = layer == 0 ? texelFetch(one, at, s).x + imageLoad(stored, at, s).x
                        : texelFetch(array, ivec3(at, layer - 1), s).x;
      c[0] = ivec4(textureSize(array), samples);
      c[1] = ivec4(textureSize(one), textureSamples(one), imageSamples(stored));
    })",
      {{{{.binding = 0, .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
         {.binding = 1, .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
         {.binding = 2},
         {.binding = 3},
         {.binding = 4, .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}}}});
  for (const std::uint32_t samples : {2u, 4u, 8u, 16u}) {
    INFO(samples << " samples");
    const auto image = gpu.image(sampled_info(VK_FORMAT_R32_UINT, samples, layers));
    Samples expected{samples, layers};
    CHECK(image.bytes.size() >= expected.words.size() * 4);
    std::iota(expected.words.begin(), expected.words.end(), 1000u);
    const auto from = gpu.buffer(expected.words.size() * 4),
               loaded = gpu.buffer(expected.words.size() * 4),
               fetched = gpu.buffer(expected.words.size() * 4), sizes = gpu.buffer(32);
    std::ranges::copy(expected.words, from.words().begin());
    const VkDescriptorSet set = gpu.set(fetch.sets[0]);
    // Layers 1 and 2; and layer 2 alone.
    gpu.write(
        set, 0,
        {VK_NULL_HANDLE,
         gpu.view(image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_FORMAT_R32_UINT, {of_color, 0, 1, 1, 2}),
         in_general},
        VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
    const VkDescriptorImageInfo last{
        VK_NULL_HANDLE,
        gpu.view(image, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R32_UINT, {of_color, 0, 1, 2, 1}),
        in_general};
    gpu.write(set, 1, last, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
    gpu.write(set, 2, fetched);
    gpu.write(set, 3, sizes);
    gpu.write(set, 4, last, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
    CHECK(gpu.run([&](VkCommandBuffer commands) {
      mover.store(commands, image, from, samples);
      mover.load(commands, image, loaded, samples);
      gpu.bind(commands, fetch, {set});
      gpu.vk.vkCmdDispatch(commands, layers, samples, 1);
    }) == VK_SUCCESS);
    CHECK(all_words_of(loaded) == expected.words);
    Samples seen = expected;
    for (std::uint32_t s = 0; s < samples; ++s)
      for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) seen.at(x, y, 0, s) = 2 * expected.at(x, y, 2, s);
    CHECK(all_words_of(fetched) == seen.words);
    CHECK(all_words_of(sizes) ==
          std::vector<std::uint32_t>{width, height, 2, samples, width, height, samples, samples});
  }
  CHECK(to_text(gpu.told()) == "");
}

// Vulkan does not say that there are such images, but Khronos' tests make them.
TEST_CASE("images of 64-bit numbers have several samples") {
  const Environment environment = with_stub();
  Gpu gpu({.layer = false});
  const auto image = gpu.image(sampled_info(VK_FORMAT_R64_UINT, 4, 1));
  const auto pipeline = gpu.pipeline(
      R"(#version 450
    #extension GL_EXT_shader_image_int64 : require
    #extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
    layout(local_size_x = 4) in;
    layout(set = 0, binding = 0, r64ui) uniform u64image2DMS image;
    layout(set = 0, binding = 1) buffer B { uint64_t b[8]; };
    void main() {
      int s = int(gl_LocalInvocationIndex);
      imageStore(image, ivec2(4, 2), s, u64vec4(b[s]));
      b[4 + s] = imageLoad(image, ivec2(4, 2), s).x;
    })",
      {{{{.binding = 0, .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}, {.binding = 1}}}});
  const auto b = gpu.buffer({1, 10, 2, 20, 3, 30, 4, 40, 0, 0, 0, 0, 0, 0, 0, 0});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.write(set, 0,
            {VK_NULL_HANDLE,
             gpu.view(image, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R64_UINT, {of_color, 0, 1, 0, 1}),
             in_general},
            VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
  gpu.write(set, 1, b);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_SUCCESS);
  CHECK(std::vector(b.words().begin() + 8, b.words().end()) ==
        std::vector<std::uint32_t>{1, 10, 2, 20, 3, 30, 4, 40});
}

TEST_CASE("samples that there are not read as zero, and take no writes") {
  const Environment environment = with_stub();
  for (const bool robust : {true, false}) {
    INFO("robust " << robust);
    Gpu gpu({.robust_buffers = robust});
    const auto pipeline = gpu.pipeline(
        R"(#version 450
    #extension GL_EXT_samplerless_texture_functions : require
    layout(set = 0, binding = 0, r32ui) uniform uimage2DMS image;
    layout(set = 0, binding = 1) uniform utexture2DMS texels;
    layout(set = 0, binding = 2) buffer B { uint r[12]; int at[4]; };
    void main() {
      for (int k = 0; k < 3; ++k) {
        imageStore(image, ivec2(0), at[k], uvec4(77));
        r[k] = imageLoad(image, ivec2(0), at[k]).x + 5;
        r[3 + k] = texelFetch(texels, ivec2(0), at[k]).x + 6;
        r[6 + k] = imageAtomicAdd(image, ivec2(1), at[k], 9) + 7;
        r[9 + k] = imageLoad(image, ivec2(k % 2, 0), k).x;
      }
    })",
        {{{{.binding = 0, .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
           {.binding = 1, .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
           {.binding = 2}}}});
    // The first layer of two: the samples behind its own are the other's.
    const auto image = gpu.image(sampled_info(VK_FORMAT_R32_UINT, 4, 2));
    const VkDescriptorImageInfo first{
        VK_NULL_HANDLE,
        gpu.view(image, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R32_UINT, {of_color, 0, 1, 0, 1}),
        in_general};
    const auto b = gpu.buffer(
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0x7fffffff, static_cast<std::uint32_t>(-1), 0});
    const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
    gpu.write(set, 0, first, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
    gpu.write(set, 1, first, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
    gpu.write(set, 2, b);
    const auto all = gpu.buffer(std::size_t{width} * height * 8 * 4);
    Mover mover(gpu, 2);
    CHECK(gpu.run([&](VkCommandBuffer commands) {
      const VkClearColorValue three{.uint32 = {3, 0, 0, 0}};
      const VkImageSubresourceRange both{of_color, 0, 1, 0, 2};
      gpu.vk.vkCmdClearColorImage(commands, image.image, in_general, &three, 1, &both);
      gpu.barrier(commands);
      gpu.bind(commands, pipeline, {set});
      gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
      gpu.barrier(commands);
      mover.load(commands, image, all, 4);
    }) == VK_SUCCESS);
    CHECK(std::vector(b.words().begin(), b.words().begin() + 12) ==
          std::vector<std::uint32_t>{5, 5, 5, 6, 6, 6, 7, 7, 7, 3, 3, 3});
    CHECK(std::ranges::count(all.words(), 3u) == std::ptrdiff_t{width} * height * 8);
    const auto told = gpu.told();
    // Stores outside an image are no findings of an unchecked run.
    CHECK(told.empty() == robust);
    for (const Told& one : told) CHECK(one.id == "out-of-bounds");
  }
}

TEST_CASE("samples are cleared by layers and copied between images of as many") {
  const Environment environment = with_stub();
  Gpu gpu;
  Mover mover(gpu, 3);
  for (const std::uint32_t samples : {2u, 8u}) {
    INFO(samples << " samples");
    const auto from = gpu.image(sampled_info(VK_FORMAT_R32_UINT, samples, 3)),
               to = gpu.image(sampled_info(VK_FORMAT_R32_UINT, samples, 3));
    Samples first{samples, 3}, second{samples, 3};
    std::iota(first.words.begin(), first.words.end(), 50u);
    std::ranges::fill(second.words, 7u);
    const auto given = gpu.buffer(first.words.size() * 4),
               result = gpu.buffer(first.words.size() * 4),
               source = gpu.buffer(first.words.size() * 4);
    std::ranges::copy(first.words, given.words().begin());
    CHECK(gpu.run([&](VkCommandBuffer commands) {
      mover.store(commands, from, given, samples);
      const VkClearColorValue seven{.uint32 = {7, 0, 0, 0}}, nine{.uint32 = {9, 0, 0, 0}};
      const VkImageSubresourceRange all{of_color, 0, 1, 0, VK_REMAINING_ARRAY_LAYERS},
          middle{of_color, 0, 1, 1, 1};
      gpu.vk.vkCmdClearColorImage(commands, to.image, in_general, &seven, 1, &all);
      gpu.vk.vkCmdClearColorImage(commands, from.image, in_general, &nine, 1, &middle);
      gpu.barrier(commands);
      // Layers 1 and 2 become layers 0 and 1; 3 x 2 texels from (2, 1) on go to (1, 0).
      const VkImageCopy region{
          {of_color, 0, 1, 2}, {2, 1, 0}, {of_color, 0, 0, 2}, {1, 0, 0}, {3, 2, 1}};
      gpu.vk.vkCmdCopyImage(commands, from.image, in_general, to.image, in_general, 1, &region);
      gpu.barrier(commands);
      mover.load(commands, from, source, samples);
      mover.load(commands, to, result, samples);
    }) == VK_SUCCESS);
    for (std::uint32_t s = 0; s < samples; ++s) {
      for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) first.at(x, y, 1, s) = 9;
      for (std::uint32_t z = 0; z < 2; ++z)
        for (std::uint32_t y = 0; y < 2; ++y)
          for (std::uint32_t x = 0; x < 3; ++x)
            second.at(1 + x, y, z, s) = first.at(2 + x, 1 + y, 1 + z, s);
    }
    CHECK(all_words_of(source) == first.words);
    CHECK(all_words_of(result) == second.words);
  }
  CHECK(to_text(gpu.told()) == "");
}

namespace {

double linear_of_srgb(double x) {
  return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
}
double srgb_of_linear(double x) {
  return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
}

/// What a resolve makes of the words of a texel's samples.
struct Resolved {
  VkFormat format;
  std::uint32_t (*of)(const std::vector<std::uint32_t>& samples);
};

std::uint32_t mean_of_bytes(const std::vector<std::uint32_t>& samples, bool srgb) {
  std::uint32_t word = 0;
  for (int byte = 0; byte < 4; ++byte) {
    const bool curved = srgb && byte < 3;
    double sum = 0;
    for (const std::uint32_t sample : samples) {
      const double x = (sample >> (8 * byte) & 0xff) / 255.0;
      sum += curved ? linear_of_srgb(x) : x;
    }
    const double mean = sum / static_cast<double>(samples.size());
    const double scaled = (curved ? srgb_of_linear(mean) : mean) * 255;
    // A tie may be rounded either way, so the test has none.
    CHECK(std::abs(scaled - std::floor(scaled) - 0.5) > 1e-4);
    word |= static_cast<std::uint32_t>(std::lround(scaled)) << (8 * byte);
  }
  return word;
}

const Resolved resolved_formats[] = {
    {VK_FORMAT_R8G8B8A8_UNORM,
     [](const std::vector<std::uint32_t>& s) { return mean_of_bytes(s, false); }},
    {VK_FORMAT_R8G8B8A8_SRGB,
     [](const std::vector<std::uint32_t>& s) { return mean_of_bytes(s, true); }},
    {VK_FORMAT_R32_UINT, [](const std::vector<std::uint32_t>& s) { return s[0]; }},
    {VK_FORMAT_R8G8B8A8_SINT, [](const std::vector<std::uint32_t>& s) { return s[0]; }},
    {VK_FORMAT_R32_SFLOAT,
     [](const std::vector<std::uint32_t>& s) {
       double sum = 0;
       for (const std::uint32_t word : s) sum += double{std::bit_cast<float>(word)};
       return std::bit_cast<std::uint32_t>(static_cast<float>(sum / double(s.size())));
     }},
};

/// Random samples whose means are not half-way between two bytes.
std::uint32_t random_sample(std::mt19937& random, const Resolved& how, std::uint32_t samples,
                            std::uint32_t s) {
  if (how.format == VK_FORMAT_R32_SFLOAT)
    return std::bit_cast<std::uint32_t>(std::uniform_real_distribution<float>(-10, 10)(random));
  const bool srgb = how.format == VK_FORMAT_R8G8B8A8_SRGB;  // but for the highest byte
  const auto some = static_cast<std::uint32_t>(random());
  if (how.format != VK_FORMAT_R8G8B8A8_UNORM && !srgb) return some;
  // Multiples of the number of samples, and one more: no sum is half of it away from a multiple.
  std::uint32_t word = 0;
  for (int byte = 0; byte < 4; ++byte)
    word |= (static_cast<std::uint32_t>(random()) % (256 / samples) * samples +
             (s == 0 && samples > 2 ? 1u : 0u))
            << (8 * byte);
  return srgb ? (word & 0xff000000) | (some & 0xffffff) : word;
}

}  // namespace

TEST_CASE("a resolve takes the mean of floats and fractions, and a sample of integers") {
  const Environment environment = with_stub();
  Gpu gpu;
  constexpr std::uint32_t layers = 2;
  Mover mover(gpu, layers);
  std::mt19937 random(3);
  for (const Resolved& how : resolved_formats)
    for (const std::uint32_t samples : {2u, 4u, 16u})
      for (const bool second : {false, true}) {
        INFO("format " << how.format << ", " << samples << " samples, command " << second);
        // Stored as words; what is resolved has the same bytes.
        const auto words = gpu.image(sampled_info(VK_FORMAT_R32_UINT, samples, layers));
        auto info = sampled_info(how.format, samples, layers);
        info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                     VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
        const auto from = gpu.image(info);
        info.samples = VK_SAMPLE_COUNT_1_BIT;
        const auto to = gpu.image(info);
        Samples given{samples, layers};
        for (std::uint32_t z = 0; z < layers; ++z)
          for (std::uint32_t s = 0; s < samples; ++s)
            for (std::uint32_t y = 0; y < height; ++y)
              for (std::uint32_t x = 0; x < width; ++x)
                given.at(x, y, z, s) = random_sample(random, how, samples, s);
        const auto stored = gpu.buffer(given.words.size() * 4),
                   result = gpu.buffer(std::size_t{width} * height * layers * 4);
        std::ranges::copy(given.words, stored.words().begin());
        CHECK(gpu.run([&](VkCommandBuffer commands) {
          mover.store(commands, words, stored, samples);
          const VkImageCopy all{
              {of_color, 0, 0, layers}, {}, {of_color, 0, 0, layers}, {}, {width, height, 1}};
          gpu.vk.vkCmdCopyImage(commands, words.image, in_general, from.image, in_general, 1, &all);
          const VkClearColorValue zero{};
          const VkImageSubresourceRange both{of_color, 0, 1, 0, layers};
          gpu.vk.vkCmdClearColorImage(commands, to.image, in_general, &zero, 1, &both);
          gpu.barrier(commands);
          // 4 x 2 texels of layer 1 from (1, 1) on become those of layer 0 from (0, 1) on.
          if (second) {
            const VkImageResolve2 region{VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2,
                                         nullptr,
                                         {of_color, 0, 1, 1},
                                         {1, 1, 0},
                                         {of_color, 0, 0, 1},
                                         {0, 1, 0},
                                         {4, 2, 1}};
            const VkResolveImageInfo2 command{VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2,
                                              nullptr,
                                              from.image,
                                              in_general,
                                              to.image,
                                              in_general,
                                              1,
                                              &region};
            gpu.vk.vkCmdResolveImage2(commands, &command);
          } else {
            const VkImageResolve region{
                {of_color, 0, 0, layers}, {}, {of_color, 0, 0, layers}, {}, {width, height, 1}};
            gpu.vk.vkCmdResolveImage(commands, from.image, in_general, to.image, in_general, 1,
                                     &region);
          }
          gpu.barrier(commands);
          const VkBufferImageCopy back{0, 0, 0, {of_color, 0, 0, layers}, {}, {width, height, 1}};
          gpu.vk.vkCmdCopyImageToBuffer(commands, to.image, in_general, result.buffer, 1, &back);
        }) == VK_SUCCESS);
        const auto of_texel = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
          std::vector<std::uint32_t> all;
          for (std::uint32_t s = 0; s < samples; ++s) all.push_back(given.at(x, y, z, s));
          return how.of(all);
        };
        std::vector<std::uint32_t> expected;
        for (std::uint32_t z = 0; z < layers; ++z)
          for (std::uint32_t y = 0; y < height; ++y)
            for (std::uint32_t x = 0; x < width; ++x) {
              const bool is_target = z == 0 && x < 4 && y >= 1;
              expected.push_back(!second     ? of_texel(x, y, z)
                                 : is_target ? of_texel(x + 1, y, 1)
                                             : 0);
            }
        CHECK(all_words_of(result) == expected);
      }
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("views of several samples have their components in another order, or blue first") {
  const Environment environment = with_stub();
  Gpu gpu;
  constexpr VkFormat format = VK_FORMAT_B8G8R8A8_UNORM;
  const auto image = gpu.image(sampled_info(format, 4, 2));
  const auto pipeline = gpu.pipeline(
      R"(#version 450
    #extension GL_EXT_samplerless_texture_functions : require
    layout(local_size_x = 4) in;
    layout(set = 0, binding = 0, rgba8) uniform image2DMSArray stored;
    layout(set = 0, binding = 1) uniform texture2DMS swizzled;
    layout(set = 0, binding = 2) buffer B { vec4 b[]; };
    layout(push_constant) uniform P { uint stores; };
    void main() {
      int s = int(gl_LocalInvocationIndex);
      if (stores != 0) imageStore(stored, ivec3(4, 2, 1), s, vec4(s + 1, 20, 30, 40 + s) / 255.0);
      else b[s] = texelFetch(swizzled, ivec2(4, 2), s);
    })",
      {{{{.binding = 0, .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
         {.binding = 1, .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
         {.binding = 2}}}},
      4);
  const auto out = gpu.buffer(64);
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.write(
      set, 0,
      {VK_NULL_HANDLE, gpu.view(image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, format, {of_color, 0, 1, 0, 2}),
       in_general},
      VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
  gpu.write(set, 1,
            {VK_NULL_HANDLE,
             gpu.view(image, VK_IMAGE_VIEW_TYPE_2D, format, {of_color, 0, 1, 1, 1},
                      {VK_COMPONENT_SWIZZLE_A, VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_ONE,
                       VK_COMPONENT_SWIZZLE_B}),
             in_general},
            VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
  gpu.write(set, 2, out);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    for (const std::uint32_t stores : {1u, 0u}) {
      gpu.bind(commands, pipeline, {set});
      gpu.vk.vkCmdPushConstants(commands, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4,
                                &stores);
      gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
      gpu.barrier(commands);
    }
  }) == VK_SUCCESS);
  std::array<float, 16> b{};
  std::memcpy(b.data(), out.bytes.data(), sizeof b);
  for (std::size_t s = 0; s < 4; ++s) {
    INFO("sample " << s);
    CHECK(b[4 * s] == Approx((40 + double(s)) / 255));
    CHECK(b[4 * s + 1] == Approx((1 + double(s)) / 255));
    CHECK(b[4 * s + 2] == 1);
    CHECK(b[4 * s + 3] == Approx(30.0 / 255));
  }
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("depth and stencil have several samples") {
  const Environment environment = with_stub();
  Gpu gpu({.layer = false});
  constexpr VkImageAspectFlags depth = VK_IMAGE_ASPECT_DEPTH_BIT,
                               stencil = VK_IMAGE_ASPECT_STENCIL_BIT;
  auto info = sampled_info(VK_FORMAT_D32_SFLOAT_S8_UINT, 4, 2);
  info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
               VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  const auto image = gpu.image(info), other = gpu.image(info);
  const auto pipeline = gpu.pipeline(
      R"(#version 450
    #extension GL_EXT_samplerless_texture_functions : require
    layout(local_size_x = 4) in;
    layout(set = 0, binding = 0) uniform texture2DMSArray depths;
    layout(set = 0, binding = 1) uniform utexture2DMSArray stencils;
    layout(set = 0, binding = 2) buffer B { vec4 b[]; };
    void main() {
      int s = int(gl_LocalInvocationIndex);
      b[s] = vec4(texelFetch(depths, ivec3(0), s).x, texelFetch(stencils, ivec3(0), s).x,
                  texelFetch(depths, ivec3(4, 2, 1), s).x, texelFetch(stencils, ivec3(4, 2, 1), s).x);
    })",
      {{{{.binding = 0, .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
         {.binding = 1, .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
         {.binding = 2}}}});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  for (const VkImageAspectFlags aspect : {depth, stencil})
    gpu.write(set, aspect == depth ? 0 : 1,
              {VK_NULL_HANDLE,
               gpu.view(other, VK_IMAGE_VIEW_TYPE_2D_ARRAY, info.format, {aspect, 0, 1, 0, 2}),
               in_general},
              VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
  const auto out = gpu.buffer(64);
  gpu.write(set, 2, out);
  REQUIRE(gpu.run([&](VkCommandBuffer commands) {
    for (std::uint32_t layer = 0; layer < 2; ++layer) {
      const VkClearDepthStencilValue value{layer == 0 ? 0.25F : 0.75F, 9 + layer};
      const VkImageSubresourceRange both{depth | stencil, 0, 1, layer, 1};
      gpu.vk.vkCmdClearDepthStencilImage(commands, image.image, in_general, &value, 1, &both);
    }
    gpu.barrier(commands);
    const VkImageCopy all{
        {depth | stencil, 0, 0, 2}, {}, {depth | stencil, 0, 0, 2}, {}, {width, height, 1}};
    gpu.vk.vkCmdCopyImage(commands, image.image, in_general, other.image, in_general, 1, &all);
    gpu.barrier(commands);
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_SUCCESS);
  std::array<float, 16> b{};
  std::memcpy(b.data(), out.bytes.data(), sizeof b);
  for (std::size_t s = 0; s < 4; ++s)
    CHECK(std::vector(b.begin() + 4 * static_cast<std::ptrdiff_t>(s),
                      b.begin() + 4 * static_cast<std::ptrdiff_t>(s) + 4) ==
          std::vector<float>{0.25F, 9, 0.75F, 10});
}

TEST_CASE("copies between several samples and one lose the device, with a reason") {
  const Environment environment = with_stub();
  for (const int command : {0, 1, 2}) {
    Gpu gpu({.layer = false});
    const auto several = gpu.image(sampled_info(VK_FORMAT_R32_UINT, 4, 1)),
               one = gpu.image(sampled_info(VK_FORMAT_R32_UINT, 1, 1));
    const auto buffer = gpu.buffer(400);
    CHECK(gpu.run([&](VkCommandBuffer commands) {
      const VkImageSubresourceLayers first{of_color, 0, 0, 1};
      const VkImageCopy copy{first, {}, first, {}, {1, 1, 1}};
      const VkBufferImageCopy to_buffer{0, 0, 0, first, {}, {1, 1, 1}};
      const VkImageBlit blit{first, {{0, 0, 0}, {1, 1, 1}}, first, {{0, 0, 0}, {1, 1, 1}}};
      if (command == 0)
        gpu.vk.vkCmdCopyImage(commands, several.image, in_general, one.image, in_general, 1, &copy);
      if (command == 1)
        gpu.vk.vkCmdCopyImageToBuffer(commands, several.image, in_general, buffer.buffer, 1,
                                      &to_buffer);
      if (command == 2)
        gpu.vk.vkCmdBlitImage(commands, several.image, in_general, one.image, in_general, 1, &blit,
                              VK_FILTER_NEAREST);
    }) == VK_ERROR_DEVICE_LOST);
    CHECK_THAT(to_text(gpu.told()), Catch::Contains("with 4 and 1 samples: use vkCmdResolveImage"));
  }
}
