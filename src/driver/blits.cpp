#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "driver/entry_points.hpp"
#include "driver/execution.hpp"
#include "driver/texels.hpp"

/// \file
/// Clears and blits of images: texels are converted from and to formats.

namespace lockstep::driver {
namespace {

/// The level of an image as a blit reads it.
class Source {
 public:
  Source(const Image& image, const Plane& plane, const SliceRange& slices)
      : image_(image), plane_(plane), slices_(slices), extent_(image.extent(slices.level)) {
    if (image.type() == VK_IMAGE_TYPE_1D) extent_.y = 1;
  }

  TexelBits nearest(double x, double y, double z, std::uint32_t layer) const {
    return texel(std::floor(x), std::floor(y), std::floor(z), layer);
  }

  /// Requires a format of floats.
  TexelBits linear(double x, double y, double z, std::uint32_t layer) const {
    std::array<double, 4> sum{};
    for (int corner = 0; corner < 8; ++corner) {
      double weight = 1;
      const auto side = [&](double at, int bit) {
        const double low = std::floor(at - 0.5), part = at - 0.5 - low;
        weight *= bit == 0 ? 1 - part : part;
        return low + bit;
      };
      const double cx = side(x, corner & 1), cy = side(y, corner >> 1 & 1);
      const double cz = image_.type() == VK_IMAGE_TYPE_3D ? side(z, corner >> 2) : z;
      if (weight == 0 || (image_.type() != VK_IMAGE_TYPE_3D && corner > 3)) continue;
      const TexelBits bits = texel(cx, cy, cz, layer);
      for (std::size_t k = 0; k < sum.size(); ++k)
        sum[k] += weight * std::bit_cast<float>(static_cast<std::uint32_t>(bits[k]));
    }
    TexelBits result;
    for (std::size_t k = 0; k < sum.size(); ++k)
      result[k] = std::bit_cast<std::uint32_t>(static_cast<float>(sum[k]));
    return result;
  }

 private:
  /// The texel there, or the nearest one of the image.
  TexelBits texel(double x, double y, double z, std::uint32_t layer) const {
    const auto clamped = [](double at, std::uint32_t size) {
      return static_cast<std::uint32_t>(std::clamp(at, 0.0, double(size) - 1));
    };
    const std::uint32_t slice =
        image_.type() == VK_IMAGE_TYPE_3D ? clamped(z, extent_.z) : slices_.first + layer;
    return decode_texel(plane_.format,
                        texel_at(image_, plane_, slices_.level, clamped(x, extent_.x),
                                 clamped(y, extent_.y), slice));
  }

  const Image& image_;
  const Plane& plane_;
  const SliceRange& slices_;
  Size3 extent_;
};

/// Integers clamped to what the target can hold: narrower ones would otherwise lose their highest bits.
TexelBits clamped(ImageFormat from, ImageFormat to, TexelBits texel) {
  const ImageFormatInfo &source = info_of(from), &target = info_of(to);
  if (source.number() == TexelNumber::float32) return texel;
  const bool is_signed = target.coding == TexelCoding::sint;
  for (std::size_t k = 0; k < texel.size(); ++k) {
    const std::uint32_t bits = target.bits[k];
    if (bits == 0) continue;
    const std::uint64_t most = ~std::uint64_t{0} >> (is_signed ? 65 - bits : 64 - bits);
    if (!is_signed) {
      texel[k] = std::min(texel[k], most);
      continue;
    }
    const auto value = source.number() == TexelNumber::int64
                           ? static_cast<std::int64_t>(texel[k])
                           : std::int64_t{static_cast<std::int32_t>(texel[k])};
    const auto highest = static_cast<std::int64_t>(most);
    texel[k] = static_cast<std::uint64_t>(std::clamp(value, -highest - 1, highest));
  }
  return texel;
}

/// One axis of a blit: which texels it writes, and what it reads for them.
struct Axis {
  Axis(std::int32_t from0, std::int32_t from1, std::int32_t to0, std::int32_t to1)
      : first(std::min(to0, to1)), last(std::max(to0, to1)), to_begin(to0), from_begin(from0) {
    scale = to1 == to0 ? 0 : double(from1 - from0) / double(to1 - to0);
  }
  /// The coordinate of the source at the middle of a texel.
  double source(std::int32_t at) const { return (at + 0.5 - to_begin) * scale + from_begin; }

  std::int32_t first, last, to_begin, from_begin;
  double scale;
};

void blit_plane(const Image& from, const Image& to, const VkImageBlit2& r, VkFilter filter,
                VkImageAspectFlags aspect) {
  require_equal_samples("a blit", from, nullptr);
  require_equal_samples("a blit", to, nullptr);
  const Plane& read_plane = from.plane(aspect);
  const Plane& plane = to.plane(aspect);
  const Axis x(r.srcOffsets[0].x, r.srcOffsets[1].x, r.dstOffsets[0].x, r.dstOffsets[1].x);
  const Axis y(r.srcOffsets[0].y, r.srcOffsets[1].y, r.dstOffsets[0].y, r.dstOffsets[1].y);
  const Axis z(r.srcOffsets[0].z, r.srcOffsets[1].z, r.dstOffsets[0].z, r.dstOffsets[1].z);
  const SliceRange read(from, r.srcSubresource, 0, 1);
  const SliceRange written(to, r.dstSubresource, z.first,
                           static_cast<std::uint32_t>(z.last - z.first));
  require_inside(to, written, {x.first, y.first, z.first},
                 {static_cast<std::uint32_t>(x.last - x.first),
                  static_cast<std::uint32_t>(y.last - y.first), 1});
  require_inside(from, read, {0, 0, 0}, {0, 0, 0});
  const Source source(from, read_plane, read);
  const bool linear = filter == VK_FILTER_LINEAR &&
                      info_of(read_plane.format.texels).number() == TexelNumber::float32;
  for (std::uint32_t slice = 0; slice < written.count; ++slice) {
    const double at_z = z.source(z.first + static_cast<std::int32_t>(slice));
    for (std::int32_t row = y.first; row < y.last; ++row) {
      for (std::int32_t column = x.first; column < x.last; ++column) {
        const double at_x = x.source(column), at_y = y.source(row);
        const TexelBits texel = linear ? source.linear(at_x, at_y, at_z, slice)
                                       : source.nearest(at_x, at_y, at_z, slice);
        encode_texel(plane.format,
                     texel_at(to, plane, written.level, static_cast<std::uint32_t>(column),
                              static_cast<std::uint32_t>(row), written.first + slice),
                     clamped(read_plane.format.texels, plane.format.texels, texel));
      }
    }
  }
}

void blit(const Image& from, const Image& to, const VkImageBlit2& r, VkFilter filter) {
  for (const VkImageAspectFlags aspect :
       {VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT})
    if (from.aspects(r.srcSubresource.aspectMask & aspect) != 0)
      blit_plane(from, to, r, filter, aspect);
}

/// A texel of the colour, in which a component of 64 bits takes two elements, the lower first.
std::vector<std::byte> texel_of(const TexelFormat& format, const VkClearColorValue& color) {
  const bool wide = info_of(format.texels).bits[0] == 64;
  TexelBits bits{};
  for (std::size_t k = 0; k < bits.size(); ++k)
    bits[wide ? k / 2 : k] |= std::uint64_t{color.uint32[k]} << (wide ? k % 2 * 32 : 0);
  std::vector<std::byte> texel(format.bytes());
  encode_texel(format, texel.data(), bits);
  return texel;
}

void clear(const Image& image, const Plane& plane, const std::vector<std::byte>& texel,
           const VkImageSubresourceRange& range) {
  const std::uint32_t levels = level_count(image, range.baseMipLevel, range.levelCount);
  for (std::uint32_t k = 0; k < levels; ++k) {
    const std::uint32_t level = range.baseMipLevel + k;
    const Size3 e = image.extent(level);
    const bool is_3d = image.type() == VK_IMAGE_TYPE_3D;
    const std::uint32_t first = is_3d ? 0 : range.baseArrayLayer * image.samples();
    const std::uint32_t slices =
        is_3d ? e.z : layer_count(image, range.baseArrayLayer, range.layerCount) * image.samples();
    const std::size_t texels =
        std::size_t{slices} * e.x * (image.type() == VK_IMAGE_TYPE_1D ? 1 : e.y);
    std::byte* to = texel_at(image, plane, level, 0, 0, first);
    for (std::size_t t = 0; t < texels; ++t, to += texel.size())
      std::memcpy(to, texel.data(), texel.size());
  }
}

}  // namespace

void vkCmdBlitImage2(VkCommandBuffer buffer, const VkBlitImageInfo2* info) {
  object_of(buffer)->record(
      [from = object_of(info->srcImage), to = object_of(info->dstImage), filter = info->filter,
       regions = std::vector(info->pRegions, info->pRegions + info->regionCount)](Execution&) {
        for (const VkImageBlit2& region : regions) blit(*from, *to, region, filter);
      });
}

void vkCmdBlitImage(VkCommandBuffer buffer, VkImage from, VkImageLayout from_layout, VkImage to,
                    VkImageLayout to_layout, std::uint32_t count, const VkImageBlit* regions,
                    VkFilter filter) {
  std::vector<VkImageBlit2> list;
  for (std::uint32_t k = 0; k < count; ++k) {
    const VkImageBlit& r = regions[k];
    list.push_back({VK_STRUCTURE_TYPE_IMAGE_BLIT_2,
                    nullptr,
                    r.srcSubresource,
                    {r.srcOffsets[0], r.srcOffsets[1]},
                    r.dstSubresource,
                    {r.dstOffsets[0], r.dstOffsets[1]}});
  }
  const VkBlitImageInfo2 info{VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2,
                              nullptr,
                              from,
                              from_layout,
                              to,
                              to_layout,
                              count,
                              list.data(),
                              filter};
  vkCmdBlitImage2(buffer, &info);
}

void vkCmdClearColorImage(VkCommandBuffer buffer, VkImage image, VkImageLayout,
                          const VkClearColorValue* color, std::uint32_t count,
                          const VkImageSubresourceRange* ranges) {
  object_of(buffer)->record([image = object_of(image), color = *color,
                             list = std::vector(ranges, ranges + count)](Execution&) {
    const Plane& plane = image->plane(VK_IMAGE_ASPECT_COLOR_BIT);
    const auto texel = texel_of(plane.format, color);
    for (const VkImageSubresourceRange& range : list) clear(*image, plane, texel, range);
  });
}

void vkCmdClearDepthStencilImage(VkCommandBuffer buffer, VkImage image, VkImageLayout,
                                 const VkClearDepthStencilValue* value, std::uint32_t count,
                                 const VkImageSubresourceRange* ranges) {
  object_of(buffer)->record([image = object_of(image), value = *value,
                             list = std::vector(ranges, ranges + count)](Execution&) {
    for (const VkImageSubresourceRange& range : list) {
      const auto clear_aspect = [&](VkImageAspectFlags aspect, const VkClearColorValue& color) {
        if (image->aspects(range.aspectMask & aspect) == 0) return;
        const Plane& plane = image->plane(aspect);
        clear(*image, plane, texel_of(plane.format, color), range);
      };
      clear_aspect(VK_IMAGE_ASPECT_DEPTH_BIT, {.float32 = {value.depth}});
      clear_aspect(VK_IMAGE_ASPECT_STENCIL_BIT, {.uint32 = {value.stencil}});
    }
  });
}

}  // namespace lockstep::driver
