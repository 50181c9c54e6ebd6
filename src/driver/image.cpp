#include "driver/image.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

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

constexpr VkImageUsageFlags supported_usage =
    VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
    VK_IMAGE_USAGE_STORAGE_BIT;

std::uint32_t axes_of(VkImageType type) {
  return type == VK_IMAGE_TYPE_1D ? 1 : type == VK_IMAGE_TYPE_2D ? 2 : 3;
}

/// Extents as the engine has them: the layers of 1D images are rows, those of 2D images slices.
Size3 engine_extent(VkImageType type, VkExtent3D extent, std::uint32_t layers) {
  if (type == VK_IMAGE_TYPE_1D) return {extent.width, layers, 1};
  if (type == VK_IMAGE_TYPE_2D) return {extent.width, extent.height, layers};
  return {extent.width, extent.height, extent.depth};
}

ColorFormat required_format(VkFormat format) {
  const auto found = color_format_of(format);
  if (!found) throw Failure(VK_ERROR_FORMAT_NOT_SUPPORTED, "an image's format is not supported");
  return *found;
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

Image::Image(const VkImageCreateInfo& info)
    : format_(required_format(info.format)),
      type_(info.imageType),
      layers_(info.arrayLayers),
      levels_{engine_extent(info.imageType, info.extent, info.arrayLayers), axes_of(info.imageType),
              info.mipLevels} {
  if ((info.flags & unsupported_flags) != 0 || info.samples != VK_SAMPLE_COUNT_1_BIT)
    throw Failure(VK_ERROR_FEATURE_NOT_PRESENT, "an image of this kind is not supported");
  if (levels_.texels() > 0xffffffffu) throw Failure(VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

std::span<std::byte> Image::level(std::uint32_t number) const {
  const Size3 e = extent(number);
  return bytes_.subspan(offset_of(number), std::size_t{e.x} * e.y * e.z * texel_size());
}

std::uint32_t layer_count(const Image& image, std::uint32_t first, std::uint32_t count) {
  return count == VK_REMAINING_ARRAY_LAYERS ? image.layers() - first : count;
}

std::uint32_t level_count(const Image& image, std::uint32_t first, std::uint32_t count) {
  return count == VK_REMAINING_MIP_LEVELS ? image.level_count() - first : count;
}

ImageView::ImageView(const VkImageViewCreateInfo& info)
    : image_(*object_of(info.image)),
      format_(required_format(info.format)),
      type_(info.viewType),
      components_(info.components),
      level_(info.subresourceRange.baseMipLevel),
      levels_(driver::level_count(image_, level_, info.subresourceRange.levelCount)),
      layer_(info.subresourceRange.baseArrayLayer),
      layers_(driver::layer_count(image_, layer_, info.subresourceRange.layerCount)) {
  if (texel_bytes(format_.texels) != image_.texel_size())
    throw Failure(VK_ERROR_FORMAT_NOT_SUPPORTED, "a view's texels have another size");
}

Descriptor ImageView::whole_levels() const {
  return {
      .kind = Descriptor::Kind::texels,
      .bytes = image_.bytes().subspan(
          image_.offset_of(level_), image_.offset_of(level_ + levels_) - image_.offset_of(level_)),
      .format = format_.texels,
      .extent = image_.extent(level_),
      .levels = levels_};
}

Descriptor ImageView::storage() const {
  Descriptor descriptor = whole_levels();
  descriptor.levels = 1;
  descriptor.bytes = image_.level(level_);
  if (image_.type() == VK_IMAGE_TYPE_3D) return descriptor;
  // The layers of a level lie one after another.
  auto& layers = image_.type() == VK_IMAGE_TYPE_1D ? descriptor.extent.y : descriptor.extent.z;
  const std::size_t layer_bytes = descriptor.bytes.size() / layers;
  descriptor.bytes = descriptor.bytes.subspan(layer_ * layer_bytes, layers_ * layer_bytes);
  layers = layers_;
  return descriptor;
}

bool ImageView::swizzles() const {
  return !is_identity(components_.r, VK_COMPONENT_SWIZZLE_R) ||
         !is_identity(components_.g, VK_COMPONENT_SWIZZLE_G) ||
         !is_identity(components_.b, VK_COMPONENT_SWIZZLE_B) ||
         !is_identity(components_.a, VK_COMPONENT_SWIZZLE_A);
}

bool ImageView::converts() const { return swizzles() || !format_.is_engine(); }

bool ImageView::needs_copy() const {
  const bool some_layers = image_.type() != VK_IMAGE_TYPE_3D && layers_ != image_.layers();
  return converts() || (some_layers && levels_ > 1);
}

Descriptor ImageView::sampled(std::vector<std::byte>& copy) const {
  if (!needs_copy()) return levels_ == 1 ? storage() : whole_levels();
  Descriptor descriptor = whole_levels();
  if (image_.type() == VK_IMAGE_TYPE_1D) descriptor.extent.y = layers_;
  if (image_.type() == VK_IMAGE_TYPE_2D) descriptor.extent.z = layers_;
  copy_texels(descriptor, copy);
  return descriptor;
}

void ImageView::copy_texels(Descriptor& descriptor, std::vector<std::byte>& copy) const {
  const bool converted = converts();
  if (converted) descriptor.format = wide_format(format_.texels);
  const std::uint32_t from_size = image_.texel_size(), to_size = texel_bytes(descriptor.format);
  const std::uint64_t one = one_of(format_.texels);
  const MipLevels all{descriptor.extent, axes_of(image_.type()), levels_};
  copy.resize(all.texels() * to_size);
  std::byte* to = copy.data();
  for (std::uint32_t k = 0; k < levels_; ++k) {
    const Size3 e = all.extent(k);
    const std::size_t texels = std::size_t{e.x} * e.y * e.z;
    const std::size_t before = image_.type() == VK_IMAGE_TYPE_3D ? 0 : texels / layers_ * layer_;
    const std::byte* from = image_.level(level_ + k).data() + before * from_size;
    if (!converted) {
      std::memcpy(to, from, texels * to_size);
      to += texels * to_size;
      continue;
    }
    for (std::size_t t = 0; t < texels; ++t, from += from_size, to += to_size) {
      const TexelBits texel = decode_texel(format_, from);
      encode_texel(
          descriptor.format, to,
          {component(components_.r, 0, texel, one), component(components_.g, 1, texel, one),
           component(components_.b, 2, texel, one), component(components_.a, 3, texel, one)});
    }
  }
  descriptor.bytes = copy;
}

std::optional<VkImageFormatProperties> image_limits(const Settings& settings, VkFormat format,
                                                    VkImageType type, VkImageUsageFlags usage,
                                                    VkImageCreateFlags flags) {
  const VkFormatFeatureFlags2 support = support_of(format, settings.profile).images;
  if (support == 0 || (flags & unsupported_flags) != 0 || (usage & ~supported_usage) != 0)
    return std::nullopt;
  // With the flag it is enough that a format of a view has the use.
  if ((usage & VK_IMAGE_USAGE_STORAGE_BIT) != 0 &&
      (support & VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT) == 0 &&
      (flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT) == 0)
    return std::nullopt;
  VkImageFormatProperties limits{};
  const bool is_3d = type == VK_IMAGE_TYPE_3D;
  const std::uint32_t most = is_3d ? max_image_size_3d : max_image_size;
  limits.maxExtent = {most, type == VK_IMAGE_TYPE_1D ? 1 : most, is_3d ? most : 1};
  limits.maxMipLevels = static_cast<std::uint32_t>(std::bit_width(most));
  limits.maxArrayLayers = is_3d ? 1 : max_image_layers;
  limits.sampleCounts = VK_SAMPLE_COUNT_1_BIT;
  limits.maxResourceSize = std::min<VkDeviceSize>(
      memory_size(), VkDeviceSize{0xffffffff} * texel_bytes(color_format_of(format)->texels));
  return limits;
}

VkResult vkCreateImage(VkDevice, const VkImageCreateInfo* info, const VkAllocationCallbacks*,
                       VkImage* image) {
  return create<Image>(image, *info);
}

void vkDestroyImage(VkDevice, VkImage image, const VkAllocationCallbacks*) {
  delete object_of(image);
}

VkResult vkCreateImageView(VkDevice, const VkImageViewCreateInfo* info,
                           const VkAllocationCallbacks*, VkImageView* view) {
  return create<ImageView>(view, *info);
}

void vkDestroyImageView(VkDevice, VkImageView view, const VkAllocationCallbacks*) {
  delete object_of(view);
}

void vkGetImageMemoryRequirements(VkDevice, VkImage image, VkMemoryRequirements* requirements) {
  *requirements = requirements_of(object_of(image)->size(), image_alignment);
}

void vkGetImageMemoryRequirements2(VkDevice, const VkImageMemoryRequirementsInfo2* info,
                                   VkMemoryRequirements2* requirements) {
  write_requirements(*requirements,
                     requirements_of(object_of(info->image)->size(), image_alignment));
}

void vkGetDeviceImageMemoryRequirements(VkDevice, const VkDeviceImageMemoryRequirements* info,
                                        VkMemoryRequirements2* requirements) {
  guarded([&] {
    const Image image(*info->pCreateInfo);
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
  const VkDeviceSize row = VkDeviceSize{extent.x} * image.texel_size();
  // The rows of 1D images are their layers.
  const VkDeviceSize slice = image.type() == VK_IMAGE_TYPE_1D ? row : row * extent.y;
  layout->offset = image.offset_of(subresource->mipLevel) + slice * subresource->arrayLayer;
  layout->size = image.type() == VK_IMAGE_TYPE_3D ? slice * extent.z : slice;
  layout->rowPitch = row;
  layout->arrayPitch = layout->depthPitch = slice;
}

}  // namespace lockstep::driver
