#pragma once

#include <span>
#include <vector>

#include <lockstep/dispatch/profile.hpp>

#include "driver/vulkan.hpp"

namespace lockstep::driver {

/// Those of instances.
std::span<const VkExtensionProperties> instance_extensions();
/// Those of a device with that profile: each whose features it has.
std::vector<VkExtensionProperties> device_extensions(const Profile& profile);

}  // namespace lockstep::driver
