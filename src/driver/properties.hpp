#pragma once

#include "driver/settings.hpp"
#include "driver/vulkan.hpp"

namespace lockstep::driver {

inline constexpr std::uint32_t max_push_constants_size = 256;
inline constexpr std::uint32_t max_bound_descriptor_sets = 32;
inline constexpr std::uint32_t max_push_descriptors = 32;
inline constexpr std::uint32_t max_per_set_descriptors = 1000000;
inline constexpr std::uint32_t max_inline_uniform_block_size = 4096;
inline constexpr std::uint32_t max_image_size = 16384;  ///< of 1D, 2D and cube images
inline constexpr std::uint32_t max_image_size_3d = 2048;
inline constexpr std::uint32_t max_image_layers = 2048;
inline constexpr VkSampleCountFlags all_sample_counts = 0x1f;  ///< 1 to 16
inline constexpr std::uint32_t queue_count = 4;
inline constexpr std::uint32_t max_memory_allocations = 32768;  ///< each is a mapping of the host
/// Memory begins at a page, so that whatever a program places in it can be aligned.
inline constexpr std::size_t page_size = 4096;
/// Of buffers and descriptors in them: the largest alignment of a shader's types.
inline constexpr VkDeviceSize buffer_alignment = 16;

VkPhysicalDeviceProperties core_properties_of(const Settings& settings);
/// Fills in a structure that extends VkPhysicalDeviceProperties2; others are left as they are.
void write_properties(const Settings& settings, VkBaseOutStructure& structure);
/// Of the machine.
VkDeviceSize memory_size();
/// One that is device-local, and one that is not.
inline constexpr std::uint32_t memory_heaps = 2;
/// Identifies what pipelines are compiled for.
void write_pipeline_cache_uuid(std::uint8_t (&uuid)[VK_UUID_SIZE]);

}  // namespace lockstep::driver
