#include "capture/vulkan/float_controls.hpp"

#include <cstddef>

#include <nlohmann/json.hpp>

namespace lockstep::vulkan {
namespace {

/// An execution mode for floats of a width, and the property that permits it.
struct Control {
  std::uint32_t mode, width;
  const char* name;
  vk::Bool32 vk::PhysicalDeviceVulkan12Properties::*has;
};

#define LOCKSTEP_CONTROLS(mode, name)                                                      \
  {mode, 16, #name "Float16", &vk::PhysicalDeviceVulkan12Properties::name##Float16},       \
      {mode, 32, #name "Float32", &vk::PhysicalDeviceVulkan12Properties::name##Float32}, { \
    mode, 64, #name "Float64", &vk::PhysicalDeviceVulkan12Properties::name##Float64        \
  }
constexpr Control controls[] = {
    LOCKSTEP_CONTROLS(4461, shaderSignedZeroInfNanPreserve),
    LOCKSTEP_CONTROLS(4459, shaderDenormPreserve),
    LOCKSTEP_CONTROLS(4460, shaderDenormFlushToZero),
    LOCKSTEP_CONTROLS(4462, shaderRoundingModeRTE),
    LOCKSTEP_CONTROLS(4463, shaderRoundingModeRTZ),
};
#undef LOCKSTEP_CONTROLS

}  // namespace

nlohmann::ordered_json float_controls_of(const vk::PhysicalDeviceVulkan12Properties& properties) {
  nlohmann::ordered_json json;
  for (const Control& control : controls) json[control.name] = properties.*control.has == VK_TRUE;
  json["denormBehaviorIndependence"] = vk::to_string(properties.denormBehaviorIndependence);
  json["roundingModeIndependence"] = vk::to_string(properties.roundingModeIndependence);
  return json;
}

const char* lacking_float_control(const vk::PhysicalDeviceVulkan12Properties& properties,
                                  std::span<const std::uint32_t> words) {
  constexpr std::size_t header = 5;
  constexpr std::uint32_t op_execution_mode = 16, op_function = 54;
  for (std::size_t at = header; at < words.size();) {
    const std::uint32_t opcode = words[at] & 0xffff, length = words[at] >> 16;
    if (opcode == op_function || length == 0 || at + length > words.size()) break;
    if (opcode == op_execution_mode && length == 4) {
      for (const Control& control : controls)
        if (control.mode == words[at + 2] && control.width == words[at + 3] &&
            properties.*control.has != VK_TRUE)
          return control.name;
    }
    at += length;
  }
  return nullptr;
}

}  // namespace lockstep::vulkan
