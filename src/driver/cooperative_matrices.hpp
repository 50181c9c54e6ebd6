#pragma once

#include <cstdint>

#include "driver/vulkan.hpp"

/// \file
/// VK_KHR_cooperative_matrix, which is newer than Debian 12's headers.

namespace lockstep::driver {

/// VkComponentTypeKHR.
enum class ComponentType : std::uint32_t {
  float16,
  float32,
  float64,
  sint8,
  sint16,
  sint32,
  sint64,
  uint8,
  uint16,
  uint32,
  uint64,
};

/// VkCooperativeMatrixPropertiesKHR: A is m x k, B k x n, C and the result m x n.
struct CooperativeMatrixProperties {
  VkStructureType sType;
  void* pNext;
  std::uint32_t m, n, k;
  ComponentType a, b, c, result;
  VkBool32 saturating_accumulation;
  std::uint32_t scope;
};

/// vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR.
VkResult cooperative_matrix_properties(VkPhysicalDevice device, std::uint32_t* count,
                                       CooperativeMatrixProperties* properties);

}  // namespace lockstep::driver
