#pragma once

#include <string_view>

#include "driver/settings.hpp"
#include "driver/vulkan.hpp"

namespace lockstep::driver {

/// Whether the device has a feature, by the name that it has in every structure.
bool has_feature(const Settings& settings, std::string_view member);

/// VkPhysicalDeviceFeatures of the device.
VkPhysicalDeviceFeatures core_features_of(const Settings& settings);
/// Fills in a structure that extends VkPhysicalDeviceFeatures2; others are left as they are.
void write_features(const Settings& settings, VkBaseOutStructure& structure);

/// Features that a device is created with.
struct EnabledFeatures {
  /// Throws Failure(VK_ERROR_FEATURE_NOT_PRESENT) if one is not there, after saying which on stderr.
  EnabledFeatures(const Settings& settings, const VkDeviceCreateInfo& info);

  bool robust_buffer_access = false;
};

}  // namespace lockstep::driver
