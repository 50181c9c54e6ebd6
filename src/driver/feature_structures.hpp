#pragma once

#include <cstddef>
#include <span>

#include "driver/vulkan.hpp"

namespace lockstep::driver {

/// A structure that extends VkPhysicalDeviceFeatures2. After its type and chain it is an array of VkBool32.
struct FeatureStructure {
  VkStructureType type;
  std::span<const char* const> members;
};

/// The members of VkPhysicalDeviceFeatures.
std::span<const char* const> core_features();
/// All that the driver knows. A member of several structures has the same name in each.
std::span<const FeatureStructure> feature_structures();

/// A structure whose features the driver lacks, all of them.
struct AbsentFeatures {
  VkStructureType type;
  const char* name;
  std::size_t members;
};
std::span<const AbsentFeatures> absent_features();

}  // namespace lockstep::driver
