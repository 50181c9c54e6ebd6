#include <algorithm>
#include <cstdint>

#include "driver/entry_points.hpp"

/// \file
/// What the Vulkan loader calls before it knows any command.

#define LOCKSTEP_EXPORT extern "C" __attribute__((visibility("default")))

namespace lockstep::driver {

PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance, const char* name) {
  if (name == nullptr) return nullptr;
  const EntryPoint found = find_entry_point(name);
  if (instance == nullptr && found.level != Level::global &&
      std::string_view(name) != "vkGetInstanceProcAddr")
    return nullptr;
  return found.function;
}

PFN_vkVoidFunction VKAPI_CALL vkGetDeviceProcAddr(VkDevice, const char* name) {
  if (name == nullptr) return nullptr;
  const EntryPoint found = find_entry_point(name);
  return found.level == Level::device ? found.function : nullptr;
}

}  // namespace lockstep::driver

LOCKSTEP_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vk_icdNegotiateLoaderICDInterfaceVersion(std::uint32_t* version) {
  // From 5 on the loader leaves versions of Vulkan above 1.0 to drivers.
  constexpr std::uint32_t oldest = 2, newest = 6;
  if (*version < oldest) return VK_ERROR_INCOMPATIBLE_DRIVER;
  *version = std::min(*version, newest);
  return VK_SUCCESS;
}

LOCKSTEP_EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vk_icdGetInstanceProcAddr(VkInstance instance, const char* name) {
  return lockstep::driver::vkGetInstanceProcAddr(instance, name);
}

LOCKSTEP_EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vk_icdGetPhysicalDeviceProcAddr(VkInstance, const char* name) {
  const auto found = lockstep::driver::find_entry_point(name);
  return found.level == lockstep::driver::Level::physical_device ? found.function : nullptr;
}
