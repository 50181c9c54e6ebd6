#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/mip_levels.hpp>
#include <lockstep/dispatch/sampler.hpp>
#include <lockstep/spirv/descriptor_set.hpp>

#include "driver/formats.hpp"
#include "driver/handle.hpp"
#include "driver/settings.hpp"

namespace lockstep::driver {

/// The texels of one aspect of an image.
struct Plane {
  TexelFormat format;
  VkDeviceSize begin = 0;  ///< in the image

  std::uint32_t texel_size() const { return format.bytes(); }
};

/// An image, whose texels lie in its memory level by level, slice by slice and row by row without gaps, as the
/// engine has them. So linear and optimal tiling are the same, and a program may write texels where it likes. The
/// second aspect's texels follow the first's. A layer of a multisampled image has one slice per sample.
class Image {
 public:
  /// Throws Failure for images that are not supported, with what is not.
  Image(const Settings& settings, const VkImageCreateInfo& info);

  VkImageType type() const { return type_; }
  VkImageUsageFlags usage() const { return usage_; }
  std::uint32_t layers() const { return layers_; }
  std::uint32_t samples() const { return samples_; }
  std::uint32_t level_count() const { return levels_.count; }
  VkDeviceSize size() const { return levels_.texels() * texel_size_; }
  /// The aspects that a command names and the image has.
  VkImageAspectFlags aspects(VkImageAspectFlags named) const { return aspects_ & named; }
  /// The plane of one aspect.
  const Plane& plane(VkImageAspectFlags aspect) const {
    return planes_[aspect == VK_IMAGE_ASPECT_STENCIL_BIT && planes_.size() > 1 ? 1 : 0];
  }

  void bind(std::span<std::byte> memory, VkDeviceSize offset) {
    bytes_ = memory.subspan(offset, size());
  }
  /// Width, height and depth of a level; of images without a third dimension the slices of its layers count as depth.
  Size3 extent(std::uint32_t level) const { return levels_.extent(level); }
  /// The bytes of a level.
  std::span<std::byte> level(const Plane& plane, std::uint32_t level) const;
  /// Where a level begins in the image.
  VkDeviceSize offset_of(const Plane& plane, std::uint32_t level) const {
    return plane.begin + levels_.before(level) * plane.texel_size();
  }
  std::span<std::byte> bytes() const { return bytes_; }

 private:
  VkImageType type_;
  VkImageUsageFlags usage_;
  VkImageAspectFlags aspects_;
  std::uint32_t layers_;
  std::uint32_t samples_;
  MipLevels levels_;
  std::uint32_t texel_size_;  ///< of all planes
  std::vector<Plane> planes_;
  std::span<std::byte> bytes_;
};

/// Some levels and layers of an image, as a shader sees them.
class ImageView {
 public:
  /// Throws Failure for views that are not supported, with what is not.
  ImageView(const Settings& settings, const VkImageViewCreateInfo& info);

  /// The descriptor of a storage image: the first level.
  Descriptor storage() const;
  /// The descriptor of a sampled image. If its texels do not lie one after another, have another order of components
  /// or a format that the engine lacks, they are copied to `copy`, which must outlive the dispatch.
  Descriptor sampled(std::vector<std::byte>& copy) const;
  /// Whether the engine reads and writes the first component as the third, and the third as the first.
  bool is_blue_first() const { return plane_.format.is_blue_first(); }
  /// Whether sampled() copies, which it does each time: a shader must see what was written last.
  bool needs_copy() const;

 private:
  Descriptor whole_levels() const;
  /// The layers of the view instead of the image's.
  void set_layers(Size3& extent) const;
  void copy_texels(Descriptor& descriptor, std::vector<std::byte>& copy) const;
  bool converts() const;
  bool swizzles() const;

  const Image& image_;
  Plane plane_;  ///< in the view's format
  VkImageViewType type_;
  VkComponentMapping components_;
  std::uint32_t level_, levels_, layer_, layers_;
};

/// What an image is made for, but for its size.
struct ImagePurpose {
  VkFormat format;
  VkImageType type;
  VkImageTiling tiling;
  VkImageUsageFlags usage;
  VkImageCreateFlags flags;
};
/// What of it is not supported, in words; empty if all is.
std::string unsupported(const Settings& settings, const ImagePurpose& purpose);
/// Limits of an image; nothing if there cannot be one.
std::optional<VkImageFormatProperties> image_limits(const Settings& settings,
                                                    const ImagePurpose& purpose);

/// The layers of a range, of which there may be VK_REMAINING_ARRAY_LAYERS.
std::uint32_t layer_count(const Image& image, std::uint32_t first, std::uint32_t count);
std::uint32_t level_count(const Image& image, std::uint32_t first, std::uint32_t count);

LOCKSTEP_ICD_HANDLE(VkImage, Image)
LOCKSTEP_ICD_HANDLE(VkImageView, ImageView)
LOCKSTEP_ICD_HANDLE(VkSampler, Sampler)

}  // namespace lockstep::driver
