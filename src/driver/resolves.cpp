#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "driver/entry_points.hpp"
#include "driver/execution.hpp"
#include "driver/texels.hpp"

/// \file
/// Resolves: images with one sample are made of those with several.

namespace lockstep::driver {
namespace {

/// The mean of floats and fractions, on the linear scale of sRGB. Of integers Vulkan takes any one sample: the first.
TexelBits resolved(const TexelFormat& format, const std::vector<const std::byte*>& samples) {
  if (info_of(format.texels).number() != TexelNumber::float32)
    return decode_texel(format, samples[0]);
  std::array<double, 4> sum{};
  for (const std::byte* const sample : samples) {
    const TexelBits bits = decode_texel(format, sample);
    for (std::size_t k = 0; k < sum.size(); ++k)
      sum[k] += double{std::bit_cast<float>(static_cast<std::uint32_t>(bits[k]))};
  }
  TexelBits mean{};
  for (std::size_t k = 0; k < sum.size(); ++k)
    mean[k] = std::bit_cast<std::uint32_t>(
        static_cast<float>(sum[k] / static_cast<double>(samples.size())));
  return mean;
}

void resolve(const Image& from, const Image& to, const VkImageResolve2& r) {
  require_equal_samples("the target of a resolve", to, nullptr);
  const Plane& read = from.plane(VK_IMAGE_ASPECT_COLOR_BIT);
  const Plane& written = to.plane(VK_IMAGE_ASPECT_COLOR_BIT);
  const SliceRange source(from, r.srcSubresource, 0, 1), target(to, r.dstSubresource, 0, 1);
  require_inside(from, source, r.srcOffset, r.extent);
  require_inside(to, target, r.dstOffset, r.extent);
  const auto moved = [](std::int32_t first, std::uint32_t by) {
    return static_cast<std::uint32_t>(first) + by;
  };
  std::vector<const std::byte*> samples(from.samples());
  const std::uint32_t layers = std::min(source.count / from.samples(), target.count);
  for (std::uint32_t layer = 0; layer < layers; ++layer)
    for (std::uint32_t y = 0; y < r.extent.height; ++y)
      for (std::uint32_t x = 0; x < r.extent.width; ++x) {
        for (std::uint32_t s = 0; s < from.samples(); ++s)
          samples[s] = texel_at(from, read, source.level, moved(r.srcOffset.x, x),
                                moved(r.srcOffset.y, y), source.first + layer * from.samples() + s);
        encode_texel(written.format,
                     texel_at(to, written, target.level, moved(r.dstOffset.x, x),
                              moved(r.dstOffset.y, y), target.first + layer),
                     resolved(read.format, samples));
      }
}

}  // namespace

void vkCmdResolveImage2(VkCommandBuffer buffer, const VkResolveImageInfo2* info) {
  object_of(buffer)->record(
      [from = object_of(info->srcImage), to = object_of(info->dstImage),
       regions = std::vector(info->pRegions, info->pRegions + info->regionCount)](Execution&) {
        for (const VkImageResolve2& region : regions) resolve(*from, *to, region);
      });
}

void vkCmdResolveImage(VkCommandBuffer buffer, VkImage from, VkImageLayout from_layout, VkImage to,
                       VkImageLayout to_layout, std::uint32_t count,
                       const VkImageResolve* regions) {
  std::vector<VkImageResolve2> list;
  for (std::uint32_t k = 0; k < count; ++k) {
    const VkImageResolve& r = regions[k];
    list.push_back({VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2, nullptr, r.srcSubresource, r.srcOffset,
                    r.dstSubresource, r.dstOffset, r.extent});
  }
  const VkResolveImageInfo2 info{VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2,
                                 nullptr,
                                 from,
                                 from_layout,
                                 to,
                                 to_layout,
                                 count,
                                 list.data()};
  vkCmdResolveImage2(buffer, &info);
}

}  // namespace lockstep::driver
