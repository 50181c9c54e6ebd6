#include "capture/vulkan/image_memory.hpp"

#include <algorithm>
#include <vector>

namespace lockstep::vulkan {
namespace {

using View = ImageDescription::View;

bool is_cube(View view) { return view == View::cube || view == View::cube_array; }

vk::ImageViewType type_of(View view) {
  // In the order of View.
  constexpr vk::ImageViewType types[] = {vk::ImageViewType::e1D,       vk::ImageViewType::e1DArray,
                                         vk::ImageViewType::e2D,       vk::ImageViewType::e2DArray,
                                         vk::ImageViewType::e3D,       vk::ImageViewType::eCube,
                                         vk::ImageViewType::eCubeArray};
  return types[static_cast<int>(view)];
}

vk::ImageAspectFlagBits aspect_of(const ImageDescription& image) {
  return image.compared ? vk::ImageAspectFlagBits::eDepth : vk::ImageAspectFlagBits::eColor;
}

/// Rows of one-dimensional arrays and slices of all others are layers, but for three dimensions.
std::uint32_t layers_of(const ImageDescription& image) {
  const Size3& size = image.levels.size;
  return image.view == View::three_d ? 1 : image.view == View::one_d_array ? size.y : size.z;
}

vk::Extent3D extent_of(const ImageDescription& image, std::uint32_t level) {
  const Size3 size = image.levels.extent(level);
  const bool is_row = image.view == View::one_d || image.view == View::one_d_array;
  return {size.x, is_row ? 1 : size.y, image.view == View::three_d ? size.z : 1};
}

vk::ImageCreateInfo info_of(const ImageDescription& image) {
  const bool is_row = image.view == View::one_d || image.view == View::one_d_array;
  const auto type = image.view == View::three_d ? vk::ImageType::e3D
                    : is_row                    ? vk::ImageType::e1D
                                                : vk::ImageType::e2D;
  vk::ImageCreateFlags flags;
  if (is_cube(image.view)) flags = vk::ImageCreateFlagBits::eCubeCompatible;
  return {flags,
          type,
          format_of(image),
          extent_of(image, 0),
          image.levels.count,
          layers_of(image),
          vk::SampleCountFlagBits::e1,
          vk::ImageTiling::eOptimal,
          (image.sampled ? vk::ImageUsageFlagBits::eSampled : vk::ImageUsageFlagBits::eStorage) |
              vk::ImageUsageFlagBits::eTransferSrc | vk::ImageUsageFlagBits::eTransferDst};
}

}  // namespace

std::uint32_t memory_type(const vk::raii::PhysicalDevice& physical, std::uint32_t allowed,
                          vk::MemoryPropertyFlags wanted) {
  const auto properties = physical.getMemoryProperties();
  for (std::uint32_t i = 0; i < properties.memoryTypeCount; ++i)
    if ((allowed >> i & 1) != 0 && (properties.memoryTypes[i].propertyFlags & wanted) == wanted)
      return i;
  throw Error("Vulkan: the device has no suitable type of memory");
}

BufferMemory::BufferMemory(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                           std::size_t bytes, vk::BufferUsageFlags usage,
                           vk::MemoryPropertyFlags wanted)
    : buffer(device, vk::BufferCreateInfo({}, bytes, usage)), memory(nullptr) {
  const auto needs = buffer.getMemoryRequirements();
  memory = vk::raii::DeviceMemory(
      device,
      vk::MemoryAllocateInfo(needs.size, memory_type(physical, needs.memoryTypeBits, wanted)));
  buffer.bindMemory(*memory, 0);
}

vk::Format format_of(const ImageDescription& image) {
  if (image.compared)
    return image.format == ImageFormat::r16 ? vk::Format::eD16Unorm : vk::Format::eD32Sfloat;
  // In the order of ImageFormat.
  constexpr vk::Format formats[] = {
      vk::Format::eR32G32B32A32Sfloat,
      vk::Format::eR16G16B16A16Sfloat,
      vk::Format::eR32G32Sfloat,
      vk::Format::eR16G16Sfloat,
      vk::Format::eB10G11R11UfloatPack32,
      vk::Format::eR32Sfloat,
      vk::Format::eR16Sfloat,
      vk::Format::eR16G16B16A16Unorm,
      vk::Format::eA2B10G10R10UnormPack32,
      vk::Format::eR8G8B8A8Unorm,
      vk::Format::eR16G16Unorm,
      vk::Format::eR8G8Unorm,
      vk::Format::eR16Unorm,
      vk::Format::eR8Unorm,
      vk::Format::eR16G16B16A16Snorm,
      vk::Format::eR8G8B8A8Snorm,
      vk::Format::eR16G16Snorm,
      vk::Format::eR8G8Snorm,
      vk::Format::eR16Snorm,
      vk::Format::eR8Snorm,
      vk::Format::eR32G32B32A32Sint,
      vk::Format::eR16G16B16A16Sint,
      vk::Format::eR8G8B8A8Sint,
      vk::Format::eR32G32Sint,
      vk::Format::eR16G16Sint,
      vk::Format::eR8G8Sint,
      vk::Format::eR32Sint,
      vk::Format::eR16Sint,
      vk::Format::eR8Sint,
      vk::Format::eR64Sint,
      vk::Format::eR32G32B32A32Uint,
      vk::Format::eR16G16B16A16Uint,
      vk::Format::eA2B10G10R10UintPack32,
      vk::Format::eR8G8B8A8Uint,
      vk::Format::eR32G32Uint,
      vk::Format::eR16G16Uint,
      vk::Format::eR8G8Uint,
      vk::Format::eR32Uint,
      vk::Format::eR16Uint,
      vk::Format::eR8Uint,
      vk::Format::eR64Uint,
  };
  static_assert(std::size(formats) == std::size(image_formats));
  return formats[static_cast<int>(image.format)];
}

vk::FormatFeatureFlags features_for(const ImageDescription& image, bool linear) {
  using Bit = vk::FormatFeatureFlagBits;
  vk::FormatFeatureFlags features = image.sampled ? Bit::eSampledImage : Bit::eStorageImage;
  if (linear) features |= Bit::eSampledImageFilterLinear;
  return features | Bit::eTransferSrc | Bit::eTransferDst;
}

ImageMemory::ImageMemory(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                         const ImageDescription& of)
    : description(of), image(device, info_of(of)), memory(nullptr), view(nullptr) {
  const auto needs = image.getMemoryRequirements();
  memory = vk::raii::DeviceMemory(
      device,
      vk::MemoryAllocateInfo(needs.size, memory_type(physical, needs.memoryTypeBits,
                                                     vk::MemoryPropertyFlagBits::eDeviceLocal)));
  image.bindMemory(*memory, 0);
  view = vk::raii::ImageView(device, vk::ImageViewCreateInfo({}, *image, type_of(of.view),
                                                             format_of(of), {}, all_levels()));
}

std::vector<vk::BufferImageCopy> ImageMemory::whole() const {
  std::vector<vk::BufferImageCopy> copies;
  for (std::uint32_t level = 0; level < description.levels.count; ++level) {
    const std::uint64_t begin = description.levels.before(level) * texel_bytes(description.format);
    copies.emplace_back(
        begin, 0, 0,
        vk::ImageSubresourceLayers(aspect_of(description), level, 0, layers_of(description)),
        vk::Offset3D(), extent_of(description, level));
  }
  return copies;
}

vk::ImageSubresourceRange ImageMemory::all_levels() const {
  return {aspect_of(description), 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
}

vk::SamplerCreateInfo info_of(const Sampler& sampler) {
  const auto filter = [](Filter f) {
    return f == Filter::linear ? vk::Filter::eLinear : vk::Filter::eNearest;
  };
  const auto mode = [](AddressMode m) {
    // In the order of AddressMode.
    constexpr vk::SamplerAddressMode modes[] = {
        vk::SamplerAddressMode::eRepeat, vk::SamplerAddressMode::eMirroredRepeat,
        vk::SamplerAddressMode::eClampToEdge, vk::SamplerAddressMode::eClampToBorder,
        vk::SamplerAddressMode::eMirrorClampToEdge};
    return modes[static_cast<int>(m)];
  };
  const vk::BorderColor border = sampler.border_color == BorderColor::transparent_black
                                     ? vk::BorderColor::eFloatTransparentBlack
                                 : sampler.border_color == BorderColor::opaque_black
                                     ? vk::BorderColor::eFloatOpaqueBlack
                                     : vk::BorderColor::eFloatOpaqueWhite;
  // In the order of CompareOp.
  constexpr vk::CompareOp compare_ops[] = {
      vk::CompareOp::eNever,          vk::CompareOp::eLess,    vk::CompareOp::eEqual,
      vk::CompareOp::eLessOrEqual,    vk::CompareOp::eGreater, vk::CompareOp::eNotEqual,
      vk::CompareOp::eGreaterOrEqual, vk::CompareOp::eAlways};
  const vk::CompareOp compare_op = compare_ops[static_cast<int>(sampler.compare_op)];
  return vk::SamplerCreateInfo()
      .setMagFilter(filter(sampler.mag_filter))
      .setMinFilter(filter(sampler.min_filter))
      .setMipmapMode(sampler.mipmap_mode == Filter::linear ? vk::SamplerMipmapMode::eLinear
                                                           : vk::SamplerMipmapMode::eNearest)
      .setAddressModeU(mode(sampler.address_mode_u))
      .setAddressModeV(mode(sampler.address_mode_v))
      .setAddressModeW(mode(sampler.address_mode_w))
      .setBorderColor(border)
      .setCompareEnable(sampler.compares)
      .setCompareOp(compare_op)
      .setMipLodBias(sampler.lod_bias)
      .setMinLod(sampler.min_lod)
      .setMaxLod(sampler.max_lod)
      .setUnnormalizedCoordinates(sampler.unnormalized_coordinates);
}

}  // namespace lockstep::vulkan
