#pragma once

#include <cstdint>
#include <span>

#include <nlohmann/json_fwd.hpp>

#include "capture/vulkan/device_parts.hpp"

/// \file
/// VkPhysicalDeviceFloatControlsProperties.

namespace lockstep::vulkan {

/// The properties by Vulkan's names.
nlohmann::ordered_json float_controls_of(const vk::PhysicalDeviceVulkan12Properties& properties);

/// The property that an execution mode of a module asks for and the device does not have; null if there is none.
const char* lacking_float_control(const vk::PhysicalDeviceVulkan12Properties& properties,
                                  std::span<const std::uint32_t> words);

}  // namespace lockstep::vulkan
