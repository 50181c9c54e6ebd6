#pragma once

/// \file
/// Memory of a Vulkan device, images in it, and what Vulkan calls their formats and samplers.

#include "capture/vulkan/device_parts.hpp"

namespace lockstep::vulkan {

/// Memory of a kind that has all wanted properties.
std::uint32_t memory_type(const vk::raii::PhysicalDevice& physical, std::uint32_t allowed,
                          vk::MemoryPropertyFlags wanted);

struct BufferMemory {
  BufferMemory(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
               std::size_t bytes, vk::BufferUsageFlags usage, vk::MemoryPropertyFlags wanted);

  vk::raii::Buffer buffer;
  vk::raii::DeviceMemory memory;
};

/// The format of an image: that of depths if it is compared.
vk::Format format_of(const ImageDescription& image);
/// What a device must be able to do with the format.
vk::FormatFeatureFlags features_for(const ImageDescription& image, bool linear);

/// An image that always has the layout `general`.
struct ImageMemory {
  ImageMemory(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
              const ImageDescription& description);

  /// All of its texels, as they follow each other in a buffer: level by level.
  std::vector<vk::BufferImageCopy> whole() const;
  vk::ImageSubresourceRange all_levels() const;

  ImageDescription description;
  vk::raii::Image image;
  vk::raii::DeviceMemory memory;
  vk::raii::ImageView view;
};

vk::SamplerCreateInfo info_of(const Sampler& sampler);

}  // namespace lockstep::vulkan
