#include <algorithm>
#include <array>
#include <cstring>

#include "driver/entry_points.hpp"
#include "driver/extensions.hpp"
#include "driver/features.hpp"
#include "driver/formats.hpp"
#include "driver/image.hpp"
#include "driver/instance.hpp"
#include "driver/memory.hpp"
#include "driver/properties.hpp"

namespace lockstep::driver {
namespace {

const Settings& settings_of(VkPhysicalDevice device) {
  return object_of(device)->instance->settings;
}

template <class F>
void for_each_in_chain(void* chain, F write) {
  for (auto* at = static_cast<VkBaseOutStructure*>(chain); at != nullptr; at = at->pNext)
    write(*at);
}

VkQueueFamilyProperties queue_family(const Settings& settings) {
  VkQueueFlags flags = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
  if (settings.graphics_stub) flags |= VK_QUEUE_GRAPHICS_BIT;
  return {flags, queue_count, 64, {1, 1, 1}};
}

VkFormatFeatureFlags first_flags(VkFormatFeatureFlags2 flags) {
  constexpr VkFormatFeatureFlags2 of_first_version = 0x7fffffff;
  return static_cast<VkFormatFeatureFlags>(flags & of_first_version);
}

}  // namespace

void vkGetPhysicalDeviceFeatures(VkPhysicalDevice device, VkPhysicalDeviceFeatures* features) {
  *features = core_features_of(settings_of(device));
}

void vkGetPhysicalDeviceFeatures2(VkPhysicalDevice device, VkPhysicalDeviceFeatures2* features) {
  for_each_in_chain(features, [&](VkBaseOutStructure& structure) {
    write_features(settings_of(device), structure);
  });
}

void vkGetPhysicalDeviceProperties(VkPhysicalDevice device,
                                   VkPhysicalDeviceProperties* properties) {
  *properties = core_properties_of(settings_of(device));
}

void vkGetPhysicalDeviceProperties2(VkPhysicalDevice device,
                                    VkPhysicalDeviceProperties2* properties) {
  for_each_in_chain(properties, [&](VkBaseOutStructure& structure) {
    write_properties(settings_of(device), structure);
  });
}

void vkGetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice device, std::uint32_t* count,
                                              VkQueueFamilyProperties* properties) {
  const std::array<VkQueueFamilyProperties, 1> all{queue_family(settings_of(device))};
  enumerate(all, count, properties);
}

void vkGetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice device, std::uint32_t* count,
                                               VkQueueFamilyProperties2* properties) {
  if (properties == nullptr || *count == 0) {
    *count = properties == nullptr ? 1 : 0;
    return;
  }
  *count = 1;
  properties->queueFamilyProperties = queue_family(settings_of(device));
}

void vkGetPhysicalDeviceMemoryProperties(VkPhysicalDevice,
                                         VkPhysicalDeviceMemoryProperties* properties) {
  *properties = memory_properties();
}

void vkGetPhysicalDeviceMemoryProperties2(VkPhysicalDevice device,
                                          VkPhysicalDeviceMemoryProperties2* properties) {
  properties->memoryProperties = memory_properties();
  auto* const budget = find_in_chain<VkPhysicalDeviceMemoryBudgetPropertiesEXT>(
      properties->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
  if (budget == nullptr) return;
  std::ranges::fill(budget->heapBudget, 0u);
  std::ranges::fill(budget->heapUsage, 0u);
  for (std::uint32_t heap = 0; heap < memory_heaps; ++heap) {
    budget->heapBudget[heap] = memory_size();
    budget->heapUsage[heap] = object_of(device)->allocated.bytes[heap];
  }
}

void vkGetPhysicalDeviceFormatProperties(VkPhysicalDevice device, VkFormat format,
                                         VkFormatProperties* properties) {
  const FormatSupport support = support_of(format, settings_of(device));
  properties->linearTilingFeatures = properties->optimalTilingFeatures =
      first_flags(support.images);
  properties->bufferFeatures = first_flags(support.buffers);
}

void vkGetPhysicalDeviceFormatProperties2(VkPhysicalDevice device, VkFormat format,
                                          VkFormatProperties2* properties) {
  vkGetPhysicalDeviceFormatProperties(device, format, &properties->formatProperties);
  auto* const more =
      find_in_chain<VkFormatProperties3>(properties->pNext, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3);
  if (more == nullptr) return;
  const FormatSupport support = support_of(format, settings_of(device));
  more->linearTilingFeatures = more->optimalTilingFeatures = support.images;
  more->bufferFeatures = support.buffers;
}

VkResult vkGetPhysicalDeviceImageFormatProperties(VkPhysicalDevice device, VkFormat format,
                                                  VkImageType type, VkImageTiling tiling,
                                                  VkImageUsageFlags usage, VkImageCreateFlags flags,
                                                  VkImageFormatProperties* properties) {
  *properties = {};
  const auto limits = image_limits(settings_of(device), {format, type, tiling, usage, flags});
  if (!limits) return VK_ERROR_FORMAT_NOT_SUPPORTED;
  *properties = *limits;
  return VK_SUCCESS;
}

VkResult vkGetPhysicalDeviceImageFormatProperties2(VkPhysicalDevice device,
                                                   const VkPhysicalDeviceImageFormatInfo2* info,
                                                   VkImageFormatProperties2* properties) {
  // Images cannot be shared with other devices or processes.
  const auto* const external = find_in_chain<VkPhysicalDeviceExternalImageFormatInfo>(
      info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO);
  if (external != nullptr && external->handleType != 0) {
    properties->imageFormatProperties = {};
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  }
  if (auto* const out = find_in_chain<VkExternalImageFormatProperties>(
          properties->pNext, VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES))
    out->externalMemoryProperties = {};
  return vkGetPhysicalDeviceImageFormatProperties(device, info->format, info->type, info->tiling,
                                                  info->usage, info->flags,
                                                  &properties->imageFormatProperties);
}

void vkGetPhysicalDeviceSparseImageFormatProperties(VkPhysicalDevice, VkFormat, VkImageType,
                                                    VkSampleCountFlagBits, VkImageUsageFlags,
                                                    VkImageTiling, std::uint32_t* count,
                                                    VkSparseImageFormatProperties*) {
  *count = 0;
}

void vkGetPhysicalDeviceSparseImageFormatProperties2(VkPhysicalDevice,
                                                     const VkPhysicalDeviceSparseImageFormatInfo2*,
                                                     std::uint32_t* count,
                                                     VkSparseImageFormatProperties2*) {
  *count = 0;
}

void vkGetPhysicalDeviceExternalBufferProperties(VkPhysicalDevice,
                                                 const VkPhysicalDeviceExternalBufferInfo* info,
                                                 VkExternalBufferProperties* properties) {
  constexpr VkExternalMemoryHandleTypeFlags host =
      VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
  properties->externalMemoryProperties = {};
  if (info->handleType == host)
    properties->externalMemoryProperties = {VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT, 0, host};
}

void vkGetPhysicalDeviceExternalFenceProperties(VkPhysicalDevice,
                                                const VkPhysicalDeviceExternalFenceInfo*,
                                                VkExternalFenceProperties* properties) {
  properties->exportFromImportedHandleTypes = properties->compatibleHandleTypes = 0;
  properties->externalFenceFeatures = 0;
}

void vkGetPhysicalDeviceExternalSemaphoreProperties(VkPhysicalDevice,
                                                    const VkPhysicalDeviceExternalSemaphoreInfo*,
                                                    VkExternalSemaphoreProperties* properties) {
  properties->exportFromImportedHandleTypes = properties->compatibleHandleTypes = 0;
  properties->externalSemaphoreFeatures = 0;
}

VkResult vkGetPhysicalDeviceToolProperties(VkPhysicalDevice, std::uint32_t* count,
                                           VkPhysicalDeviceToolProperties*) {
  *count = 0;
  return VK_SUCCESS;
}

VkResult vkEnumerateDeviceExtensionProperties(VkPhysicalDevice device, const char* layer,
                                              std::uint32_t* count,
                                              VkExtensionProperties* properties) {
  if (layer != nullptr) return VK_ERROR_LAYER_NOT_PRESENT;
  return enumerate(device_extensions(settings_of(device).profile), count, properties);
}

VkResult vkEnumerateDeviceLayerProperties(VkPhysicalDevice, std::uint32_t* count,
                                          VkLayerProperties*) {
  *count = 0;
  return VK_SUCCESS;
}

VkResult vkGetPhysicalDeviceCalibrateableTimeDomainsEXT(VkPhysicalDevice, std::uint32_t* count,
                                                        VkTimeDomainEXT* domains) {
  constexpr std::array all{VK_TIME_DOMAIN_DEVICE_EXT, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT};
  return enumerate(all, count, domains);
}

}  // namespace lockstep::driver
