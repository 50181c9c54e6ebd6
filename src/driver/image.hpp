#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/mip_levels.hpp>
#include <lockstep/dispatch/sampler.hpp>
#include <lockstep/spirv/descriptor_set.hpp>

#include "driver/formats.hpp"
#include "driver/handle.hpp"
#include "driver/settings.hpp"

namespace lockstep::driver {

/// An image, whose texels lie in its memory level by level, slice by slice and row by row without gaps, as the
/// engine has them. So linear and optimal tiling are the same, and a program may write texels where it likes.
class Image {
 public:
  /// Throws Failure for images that are not supported.
  explicit Image(const VkImageCreateInfo& info);

  ColorFormat format() const { return format_; }
  VkImageType type() const { return type_; }
  std::uint32_t layers() const { return layers_; }
  std::uint32_t level_count() const { return levels_.count; }
  std::uint32_t texel_size() const { return texel_bytes(format_.texels); }
  VkDeviceSize size() const { return levels_.texels() * texel_size(); }

  void bind(std::span<std::byte> memory, VkDeviceSize offset) {
    bytes_ = memory.subspan(offset, size());
  }
  /// Width, height and depth of a level; of images without a third dimension its layers count as depth.
  Size3 extent(std::uint32_t level) const { return levels_.extent(level); }
  /// The bytes of a level.
  std::span<std::byte> level(std::uint32_t level) const;
  /// Where a level begins in the image.
  VkDeviceSize offset_of(std::uint32_t level) const { return levels_.before(level) * texel_size(); }
  std::span<std::byte> bytes() const { return bytes_; }

 private:
  ColorFormat format_;
  VkImageType type_;
  std::uint32_t layers_;
  MipLevels levels_;
  std::span<std::byte> bytes_;
};

/// Some levels and layers of an image, as a shader sees them.
class ImageView {
 public:
  /// Throws Failure for views that are not supported.
  explicit ImageView(const VkImageViewCreateInfo& info);

  /// The descriptor of a storage image: the first level.
  Descriptor storage() const;
  /// The descriptor of a sampled image. If its texels do not lie one after another, have another order of components
  /// or a format that the engine lacks, they are copied to `copy`, which must outlive the dispatch.
  Descriptor sampled(std::vector<std::byte>& copy) const;
  /// Whether sampled() copies, which it does each time: a shader must see what was written last.
  bool needs_copy() const;

 private:
  Descriptor whole_levels() const;
  void copy_texels(Descriptor& descriptor, std::vector<std::byte>& copy) const;
  bool converts() const;
  bool swizzles() const;

  const Image& image_;
  ColorFormat format_;
  VkImageViewType type_;
  VkComponentMapping components_;
  std::uint32_t level_, levels_, layer_, layers_;
};

/// Limits of an image with these properties; nothing if there cannot be one.
std::optional<VkImageFormatProperties> image_limits(const Settings& settings, VkFormat format,
                                                    VkImageType type, VkImageUsageFlags usage,
                                                    VkImageCreateFlags flags);

/// The layers of a range, of which there may be VK_REMAINING_ARRAY_LAYERS.
std::uint32_t layer_count(const Image& image, std::uint32_t first, std::uint32_t count);
std::uint32_t level_count(const Image& image, std::uint32_t first, std::uint32_t count);

LOCKSTEP_ICD_HANDLE(VkImage, Image)
LOCKSTEP_ICD_HANDLE(VkImageView, ImageView)
LOCKSTEP_ICD_HANDLE(VkSampler, Sampler)

}  // namespace lockstep::driver
