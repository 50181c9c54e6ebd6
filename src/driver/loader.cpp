#include <algorithm>
#include <cstdint>
#include <string_view>

#include "driver/device.hpp"
#include "driver/entry_points.hpp"
#include "driver/extensions.hpp"
#include "driver/instance.hpp"

/// \file
/// What the Vulkan loader calls before it knows any command.

#define LOCKSTEP_EXPORT extern "C" __attribute__((visibility("default")))

namespace lockstep::driver {
namespace {

/// Whether a program that made the instance can use the command by that name; null stands for any device.
bool is_usable(const EntryPoint& entry, const Instance& instance, const Device* device) {
  if (entry.extension.empty()) return entry.minor <= instance.minor;
  if (is_instance_extension(entry.extension)) return instance.extensions.contains(entry.extension);
  if (device != nullptr) return device->extensions.contains(entry.extension);
  return is_device_extension(entry.extension, instance.settings.profile);
}

EntryPoint usable_in(VkInstance instance, const char* name) {
  const EntryPoint found = find_entry_point(name);
  return is_usable(found, *object_of(instance), nullptr) ? found : EntryPoint{};
}

}  // namespace

PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance, const char* name) {
  if (name == nullptr) return nullptr;
  if (instance != nullptr) return usable_in(instance, name).function;
  const EntryPoint found = find_entry_point(name);
  return found.level == Level::global || std::string_view(name) == "vkGetInstanceProcAddr"
             ? found.function
             : nullptr;
}

PFN_vkVoidFunction VKAPI_CALL vkGetDeviceProcAddr(VkDevice handle, const char* name) {
  if (name == nullptr) return nullptr;
  const Device& device = *object_of(handle);
  const EntryPoint found = find_entry_point(name);
  return found.level == Level::device && is_usable(found, *device.physical.instance, &device)
             ? found.function
             : nullptr;
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
vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char* name) {
  using namespace lockstep::driver;
  const EntryPoint found = instance == nullptr ? find_entry_point(name) : usable_in(instance, name);
  return found.level == Level::physical_device ? found.function : nullptr;
}
