#include "capture/vulkan/float_controls.hpp"

#include <cstddef>

#include <nlohmann/json.hpp>

#include "shader/front/encoded.hpp"

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
  for (const spirv::Encoded i : spirv::EncodedInstructions(words)) {
    if (i.opcode() == spv::Op::OpFunction) break;
    if (i.opcode() != spv::Op::OpExecutionMode || i.words.size() != 4) continue;
    for (const Control& control : controls)
      if (control.mode == i.words[2] && control.width == i.words[3] &&
          properties.*control.has != VK_TRUE)
        return control.name;
  }
  return nullptr;
}

}  // namespace lockstep::vulkan
