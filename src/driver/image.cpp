#include "driver/image.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driver/buffer.hpp"
#include "driver/device.hpp"
#include "driver/entry_points.hpp"
#include "driver/formats.hpp"
#include "driver/instance.hpp"
#include "driver/memory.hpp"
#include "driver/properties.hpp"

namespace lockstep::driver {
namespace {

/// The alignment of images: a cache line of the host.
constexpr VkDeviceSize image_alignment = 64;

/// What images cannot be created with: sparse memory, planes, and views of slices of a 3D image.
constexpr VkImageCreateFlags unsupported_flags =
    VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT |
    VK_IMAGE_CREATE_SPARSE_ALIASED_BIT | VK_IMAGE_CREATE_PROTECTED_BIT |
    VK_IMAGE_CREATE_DISJOINT_BIT | VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT |
    VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT | VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT;

/// A use of images, and what a format must have for it.
struct Use {
  VkImageUsageFlags usage;
  VkFormatFeatureFlags2 needs;  ///< one of these
  std::string_view name;
};
constexpr VkFormatFeatureFlags2 attachment =
    VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT;
constexpr Use uses[] = {
    {VK_IMAGE_USAGE_TRANSFER_SRC_BIT, VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT, "TRANSFER_SRC"},
    {VK_IMAGE_USAGE_TRANSFER_DST_BIT, VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT, "TRANSFER_DST"},
    {VK_IMAGE_USAGE_SAMPLED_BIT, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT, "SAMPLED"},
    {VK_IMAGE_USAGE_STORAGE_BIT, VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT, "STORAGE"},
    {VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT,
     "COLOR_ATTACHMENT"},
    {VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT,
     "DEPTH_STENCIL_ATTACHMENT"},
    {VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT, attachment, "TRANSIENT_ATTACHMENT"},
    {VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, attachment, "INPUT_ATTACHMENT"},
};

/// The uses among these that a format with such features is not for, in words; empty if there are none.
std::string unsupported_uses(VkImageUsageFlags usage, VkFormatFeatureFlags2 features) {
  std::vector<std::string> names;
  for (const Use& use : uses) {
    if ((usage & use.usage) != 0 && (features & use.needs) == 0) names.emplace_back(use.name);
    usage &= ~use.usage;
  }
  if (usage != 0) names.push_back(fmt::format("{:#x}", usage));
  return fmt::format("{}", fmt::join(names, " and "));
}

std::uint32_t axes_of(VkImageType type) {
  return type == VK_IMAGE_TYPE_1D ? 1 : type == VK_IMAGE_TYPE_2D ? 2 : 3;
}

/// An extent in the engine's terms: layers of a 1D image are rows, and each sample of a 2D image's layer is a slice.
Size3 engine_extent(VkImageType type, VkExtent3D extent, std::uint32_t layers,
                    std::uint32_t samples) {
  if (type == VK_IMAGE_TYPE_1D) return {extent.width, layers, 1};
  if (type == VK_IMAGE_TYPE_2D) return {extent.width, extent.height, layers * samples};
  return {extent.width, extent.height, extent.depth};
}

bool is_identity(VkComponentSwizzle swizzle, VkComponentSwizzle itself) {
  return swizzle == VK_COMPONENT_SWIZZLE_IDENTITY || swizzle == itself;
}

/// The bits of 1 in a component of the format.
std::uint64_t one_of(ImageFormat format) {
  return info_of(format).number() == TexelNumber::float32 ? std::bit_cast<std::uint32_t>(1.0F) : 1;
}

std::uint64_t component(VkComponentSwizzle swizzle, std::size_t itself, const TexelBits& texel,
                        std::uint64_t one) {
  switch (swizzle) {
    case VK_COMPONENT_SWIZZLE_ZERO:
      return 0;
    case VK_COMPONENT_SWIZZLE_ONE:
      return one;
    case VK_COMPONENT_SWIZZLE_R:
    case VK_COMPONENT_SWIZZLE_G:
    case VK_COMPONENT_SWIZZLE_B:
    case VK_COMPONENT_SWIZZLE_A:
      return texel[static_cast<std::size_t>(swizzle - VK_COMPONENT_SWIZZLE_R)];
    default:
      return texel[itself];
  }
}

/// The format of four components that holds what any texel of the format has.
ImageFormat wide_format(ImageFormat format) {
  switch (info_of(format).number()) {
    case TexelNumber::float32:
      return ImageFormat::rgba32f;
    case TexelNumber::int32:
      return ImageFormat::rgba32i;
    default:
      return ImageFormat::rgba32ui;
  }
}

}  // namespace

namespace {

/// The numbers of samples that such images can have, of any format and usage.
VkSampleCountFlags sample_counts_of(const Settings& settings, const ImagePurpose& purpose) {
  const bool is_cube = (purpose.flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) != 0;
  const bool several = settings.graphics_stub && purpose.type == VK_IMAGE_TYPE_2D && !is_cube &&
                       purpose.tiling == VK_IMAGE_TILING_OPTIMAL;
  return several ? all_sample_counts : VkSampleCountFlags{VK_SAMPLE_COUNT_1_BIT};
}

/// Throws Failure unless an image can have so many samples.
void require_samples(const Settings& settings, const VkImageCreateInfo& info,
                     VkSampleCountFlags allowed) {
  const std::string what = fmt::format("an image with {} samples is not supported",
                                       static_cast<std::uint32_t>(info.samples));
  if ((info.samples & allowed) == 0 && allowed == VK_SAMPLE_COUNT_1_BIT)
    throw Failure(
        VK_ERROR_FEATURE_NOT_PRESENT,
        fmt::format("{}: only 2D images with optimal tiling, which are not cubes, may have "
                    "several{}",
                    what, settings.graphics_stub ? "" : ", with --graphics-stub"));
  if ((info.samples & allowed) == 0)
    throw Failure(VK_ERROR_FEATURE_NOT_PRESENT, what + ": 1, 2, 4, 8 and 16 are");
  if (info.samples != VK_SAMPLE_COUNT_1_BIT && info.mipLevels != 1)
    throw Failure(VK_ERROR_FEATURE_NOT_PRESENT,
                  fmt::format("{} at {} levels: it has one", what, info.mipLevels));
}

/// The planes of an image, or Failure with what is not supported.
FormatPlanes supported_planes(const Settings& settings, const VkImageCreateInfo& info) {
  const ImagePurpose purpose{info.format, info.imageType, info.tiling, info.usage, info.flags};
  if (const std::string what = unsupported(settings, purpose); !what.empty())
    throw Failure(VK_ERROR_FORMAT_NOT_SUPPORTED, what);
  const VkImageFormatProperties limits = *image_limits(settings, purpose);
  const VkExtent3D most = limits.maxExtent;
  // Images of 64-bit numbers have several samples too: queries do not report them, but Khronos' tests make them.
  require_samples(settings, info, sample_counts_of(settings, purpose));
  if (info.extent.width > most.width || info.extent.height > most.height ||
      info.extent.depth > most.depth || info.mipLevels > limits.maxMipLevels ||
      info.arrayLayers > limits.maxArrayLayers)
    throw Failure(VK_ERROR_FEATURE_NOT_PRESENT,
                  fmt::format("an image of {} x {} x {} texels, {} levels and {} layers is not "
                              "supported: at most {} x {} x {}, {} and {} are",
                              info.extent.width, info.extent.height, info.extent.depth,
                              info.mipLevels, info.arrayLayers, most.width, most.height, most.depth,
                              limits.maxMipLevels, limits.maxArrayLayers));
  return *planes_of(info.format);
}

}  // namespace

Image::Image(const Settings& settings, const VkImageCreateInfo& info)
    : type_(info.imageType),
      usage_(info.usage),
      aspects_(),
      layers_(info.arrayLayers),
      samples_(info.samples),
      levels_{engine_extent(info.imageType, info.extent, layers_, samples_),
              axes_of(info.imageType), info.mipLevels},
      texel_size_() {
  const FormatPlanes planes = supported_planes(settings, info);
  if (levels_.texels() > 0xffffffffu)
    throw Failure(VK_ERROR_OUT_OF_DEVICE_MEMORY,
                  "an image of 2^32 texels or more is not supported");
  aspects_ = planes.aspects;
  planes_.push_back({planes.first});
  texel_size_ = planes_[0].texel_size();
  if (!planes.stencil) return;
  planes_.push_back({{*planes.stencil}, levels_.texels() * texel_size_});
  texel_size_ += planes_[1].texel_size();
}

std::span<std::byte> Image::level(const Plane& plane, std::uint32_t number) const {
  const Size3 e = extent(number);
  return bytes_.subspan(offset_of(plane, number),
                        std::size_t{e.x} * e.y * e.z * plane.texel_size());
}

std::uint32_t layer_count(const Image& image, std::uint32_t first, std::uint32_t count) {
  return count == VK_REMAINING_ARRAY_LAYERS ? image.layers() - first : count;
}

std::uint32_t level_count(const Image& image, std::uint32_t first, std::uint32_t count) {
  return count == VK_REMAINING_MIP_LEVELS ? image.level_count() - first : count;
}

namespace {

/// The plane that a view shows, in the view's format, or Failure with what is not supported.
Plane viewed_plane(const Settings& settings, const Image& image,
                   const VkImageViewCreateInfo& info) {
  const auto planes = planes_of(info.format);
  if (!planes || support_of(info.format, settings).images == 0)
    throw Failure(VK_ERROR_FORMAT_NOT_SUPPORTED,
                  fmt::format("a view of format {} is not supported", name_of(info.format)));
  const auto* const restricted = find_in_chain<VkImageViewUsageCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
  const VkImageUsageFlags usage = restricted != nullptr ? restricted->usage : image.usage();
  if (const std::string what = unsupported_uses(usage, support_of(info.format, settings).images);
      !what.empty())
    throw Failure(VK_ERROR_FORMAT_NOT_SUPPORTED,
                  fmt::format("a view of format {} is not supported with usage {}",
                              name_of(info.format), what));
  const VkImageAspectFlags aspect = info.subresourceRange.aspectMask;
  Plane plane = image.plane(aspect);
  const bool second = plane.begin != 0;
  const TexelFormat format =
      second && planes->stencil ? TexelFormat{*planes->stencil} : planes->first;
  if (format.bytes() != plane.texel_size())
    throw Failure(VK_ERROR_FORMAT_NOT_SUPPORTED,
                  fmt::format("a view of format {} is not supported: its texels have {} bytes, the "
                              "image's {}",
                              name_of(info.format), format.bytes(), plane.texel_size()));
  plane.format = format;
  return plane;
}

}  // namespace

ImageView::ImageView(const Settings& settings, const VkImageViewCreateInfo& info)
    : image_(*object_of(info.image)),
      plane_(viewed_plane(settings, image_, info)),
      type_(info.viewType),
      components_(info.components),
      level_(info.subresourceRange.baseMipLevel),
      levels_(driver::level_count(image_, level_, info.subresourceRange.levelCount)),
      layer_(info.subresourceRange.baseArrayLayer),
      layers_(driver::layer_count(image_, layer_, info.subresourceRange.layerCount)) {}

Descriptor ImageView::whole_levels() const {
  const VkDeviceSize begin = image_.offset_of(plane_, level_);
  return {
      .kind = Descriptor::Kind::texels,
      .bytes = image_.bytes().subspan(begin, image_.offset_of(plane_, level_ + levels_) - begin),
      .format = plane_.format.texels,
      .extent = image_.extent(level_),
      .levels = levels_,
      .samples = image_.samples()};
}

Descriptor ImageView::storage() const {
  Descriptor descriptor = whole_levels();
  descriptor.levels = 1;
  descriptor.bytes = image_.level(plane_, level_);
  if (image_.type() == VK_IMAGE_TYPE_3D) return descriptor;
  // The layers of a level lie one after another.
  const std::size_t layer_bytes = descriptor.bytes.size() / image_.layers();
  descriptor.bytes = descriptor.bytes.subspan(layer_ * layer_bytes, layers_ * layer_bytes);
  set_layers(descriptor.extent);
  return descriptor;
}

void ImageView::set_layers(Size3& extent) const {
  if (image_.type() == VK_IMAGE_TYPE_1D) extent.y = layers_;
  if (image_.type() == VK_IMAGE_TYPE_2D) extent.z = layers_ * image_.samples();
}

bool ImageView::swizzles() const {
  return !is_identity(components_.r, VK_COMPONENT_SWIZZLE_R) ||
         !is_identity(components_.g, VK_COMPONENT_SWIZZLE_G) ||
         !is_identity(components_.b, VK_COMPONENT_SWIZZLE_B) ||
         !is_identity(components_.a, VK_COMPONENT_SWIZZLE_A);
}

bool ImageView::converts() const { return swizzles() || !plane_.format.is_engine(); }

bool ImageView::needs_copy() const {
  const bool some_layers = image_.type() != VK_IMAGE_TYPE_3D && layers_ != image_.layers();
  return converts() || (some_layers && levels_ > 1);
}

Descriptor ImageView::sampled(std::vector<std::byte>& copy) const {
  if (!needs_copy()) return levels_ == 1 ? storage() : whole_levels();
  Descriptor descriptor = whole_levels();
  set_layers(descriptor.extent);
  copy_texels(descriptor, copy);
  return descriptor;
}

void ImageView::copy_texels(Descriptor& descriptor, std::vector<std::byte>& copy) const {
  const bool converted = converts();
  if (converted) descriptor.format = wide_format(plane_.format.texels);
  const std::uint32_t from_size = plane_.texel_size(), to_size = texel_bytes(descriptor.format);
  const std::uint64_t one = one_of(plane_.format.texels);
  const MipLevels all{descriptor.extent, axes_of(image_.type()), levels_};
  copy.resize(all.texels() * to_size);
  std::byte* to = copy.data();
  for (std::uint32_t k = 0; k < levels_; ++k) {
    const Size3 e = all.extent(k);
    const std::size_t texels = std::size_t{e.x} * e.y * e.z;
    const std::size_t before = image_.type() == VK_IMAGE_TYPE_3D ? 0 : texels / layers_ * layer_;
    const std::byte* from = image_.level(plane_, level_ + k).data() + before * from_size;
    if (!converted) {
      std::memcpy(to, from, texels * to_size);
      to += texels * to_size;
      continue;
    }
    for (std::size_t t = 0; t < texels; ++t, from += from_size, to += to_size) {
      const TexelBits texel = decode_texel(plane_.format, from);
      lockstep::encode_texel(
          descriptor.format, to,
          {component(components_.r, 0, texel, one), component(components_.g, 1, texel, one),
           component(components_.b, 2, texel, one), component(components_.a, 3, texel, one)});
    }
  }
  descriptor.bytes = copy;
}

std::string unsupported(const Settings& settings, const ImagePurpose& purpose) {
  const VkFormatFeatureFlags2 features = support_of(purpose.format, settings).images;
  const std::string what =
      fmt::format("an image of format {} is not supported", name_of(purpose.format));
  if (features == 0) {
    const bool is_stub = !settings.graphics_stub && planes_of(purpose.format).has_value() &&
                         planes_of(purpose.format)->aspects != VK_IMAGE_ASPECT_COLOR_BIT;
    return what + (is_stub ? " without a graphics queue (--graphics-stub)" : "");
  }
  if (const VkImageCreateFlags flags = purpose.flags & unsupported_flags; flags != 0)
    return fmt::format("{} with flags {:#x}", what, flags);
  // With the flag it is enough that a format of a view has the use.
  const VkImageUsageFlags by_views =
      (purpose.flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT) != 0 ? VK_IMAGE_USAGE_STORAGE_BIT : 0;
  const std::string wrong = unsupported_uses(purpose.usage & ~by_views, features);
  return wrong.empty() ? "" : fmt::format("{} with usage {}", what, wrong);
}

std::optional<VkImageFormatProperties> image_limits(const Settings& settings,
                                                    const ImagePurpose& purpose) {
  if (!unsupported(settings, purpose).empty()) return std::nullopt;
  VkImageFormatProperties limits{};
  const bool is_3d = purpose.type == VK_IMAGE_TYPE_3D;
  const std::uint32_t most = is_3d ? max_image_size_3d : max_image_size;
  limits.maxExtent = {most, purpose.type == VK_IMAGE_TYPE_1D ? 1 : most, is_3d ? most : 1};
  limits.maxMipLevels = static_cast<std::uint32_t>(std::bit_width(most));
  limits.maxArrayLayers = is_3d ? 1 : max_image_layers;
  // Vulkan has several samples only where something can be drawn to.
  const bool can_be_drawn_to = (support_of(purpose.format, settings).images & attachment) != 0;
  limits.sampleCounts = can_be_drawn_to ? sample_counts_of(settings, purpose)
                                        : VkSampleCountFlags{VK_SAMPLE_COUNT_1_BIT};
  const FormatPlanes planes = *planes_of(purpose.format);
  const std::uint32_t texel =
      planes.first.bytes() + (planes.stencil ? texel_bytes(*planes.stencil) : 0);
  limits.maxResourceSize = std::min<VkDeviceSize>(memory_size(), VkDeviceSize{0xffffffff} * texel);
  return limits;
}

VkResult vkCreateImage(VkDevice handle, const VkImageCreateInfo* info, const VkAllocationCallbacks*,
                       VkImage* image) {
  Device& device = *object_of(handle);
  return told(device, "image", [&] {
    *image = handle_of(new Image(device.settings(), *info));
    return VK_SUCCESS;
  });
}

void vkDestroyImage(VkDevice device, VkImage image, const VkAllocationCallbacks*) {
  object_of(device)->retire(object_of(image));
}

VkResult vkCreateImageView(VkDevice handle, const VkImageViewCreateInfo* info,
                           const VkAllocationCallbacks*, VkImageView* view) {
  Device& device = *object_of(handle);
  return told(device, "image-view", [&] {
    *view = handle_of(new ImageView(device.settings(), *info));
    return VK_SUCCESS;
  });
}

void vkDestroyImageView(VkDevice device, VkImageView view, const VkAllocationCallbacks*) {
  object_of(device)->retire(object_of(view));
}

void vkGetImageMemoryRequirements(VkDevice, VkImage image, VkMemoryRequirements* requirements) {
  *requirements = requirements_of(object_of(image)->size(), image_alignment);
}

void vkGetImageMemoryRequirements2(VkDevice, const VkImageMemoryRequirementsInfo2* info,
                                   VkMemoryRequirements2* requirements) {
  write_requirements(*requirements,
                     requirements_of(object_of(info->image)->size(), image_alignment));
}

void vkGetDeviceImageMemoryRequirements(VkDevice device,
                                        const VkDeviceImageMemoryRequirements* info,
                                        VkMemoryRequirements2* requirements) {
  guarded([&] {
    const Image image(object_of(device)->settings(), *info->pCreateInfo);
    write_requirements(*requirements, requirements_of(image.size(), image_alignment));
    return VK_SUCCESS;
  });
}

void vkGetImageSparseMemoryRequirements(VkDevice, VkImage, std::uint32_t* count,
                                        VkSparseImageMemoryRequirements*) {
  *count = 0;
}
void vkGetImageSparseMemoryRequirements2(VkDevice, const VkImageSparseMemoryRequirementsInfo2*,
                                         std::uint32_t* count, VkSparseImageMemoryRequirements2*) {
  *count = 0;
}
void vkGetDeviceImageSparseMemoryRequirements(VkDevice, const VkDeviceImageMemoryRequirements*,
                                              std::uint32_t* count,
                                              VkSparseImageMemoryRequirements2*) {
  *count = 0;
}

VkResult vkBindImageMemory(VkDevice, VkImage image, VkDeviceMemory memory, VkDeviceSize offset) {
  object_of(image)->bind(object_of(memory)->bytes(), offset);
  return VK_SUCCESS;
}

VkResult vkBindImageMemory2(VkDevice, std::uint32_t count, const VkBindImageMemoryInfo* infos) {
  for (std::uint32_t k = 0; k < count; ++k)
    object_of(infos[k].image)->bind(object_of(infos[k].memory)->bytes(), infos[k].memoryOffset);
  return VK_SUCCESS;
}

void vkGetImageSubresourceLayout(VkDevice, VkImage handle, const VkImageSubresource* subresource,
                                 VkSubresourceLayout* layout) {
  const Image& image = *object_of(handle);
  const Size3 extent = image.extent(subresource->mipLevel);
  const Plane& plane = image.plane(subresource->aspectMask);
  const VkDeviceSize row = VkDeviceSize{extent.x} * plane.texel_size();
  // The rows of 1D images are their layers.
  const VkDeviceSize slice =
      image.type() == VK_IMAGE_TYPE_1D ? row : row * extent.y * image.samples();
  layout->offset = image.offset_of(plane, subresource->mipLevel) + slice * subresource->arrayLayer;
  layout->size = image.type() == VK_IMAGE_TYPE_3D ? slice * extent.z : slice;
  layout->rowPitch = row;
  layout->arrayPitch = layout->depthPitch = slice;
}

}  // namespace lockstep::driver
