#include "driver/device.hpp"

#include <algorithm>
#include <chrono>

#include "driver/dispatch_place.hpp"
#include "driver/entry_points.hpp"
#include "driver/extensions.hpp"
#include "driver/properties.hpp"

namespace lockstep::driver {

Device::Device(PhysicalDevice& on, const VkDeviceCreateInfo& info)
    : physical(on),
      features(on.instance->settings, info),
      extensions(info.enabledExtensionCount, info.ppEnabledExtensionNames) {
  static_assert(std::tuple_size_v<decltype(queues)> == queue_count);
  set_loader_magic_value(&loader);
  for (std::size_t k = 0; k < queues.size(); ++k) queues[k] = std::make_unique<Queue>(*this, k);
  std::uint32_t wanted = 0;
  for (std::uint32_t k = 0; k < info.queueCreateInfoCount; ++k)
    wanted += info.pQueueCreateInfos[k].queueCount;
  several_queues = wanted > 1;
}

void Device::tell_error(std::string_view id, const std::string& what) {
  print_error(what);
  physical.instance->tell({.severity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                           .types = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                           .id = std::string(id),
                           .text = what});
}

void Device::tell_findings(const FaultLog& log, const DispatchPlace& where) {
  if (log.count() == 0) return;
  for (const Finding& finding : physical.instance->findings.add(log)) {
    const std::string text = where.diagnostic(finding);
    print_error(text);
    const auto severity = finding.severity == Severity::error
                              ? VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT
                              : VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
    physical.instance->tell({.severity = severity,
                             .types = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                             .id = std::string(finding.rule),
                             .text = text});
  }
}

void Device::retire(std::shared_ptr<void> object) {
  std::shared_ptr<void> unused;  // destroyed without the lock
  const std::lock_guard lock(hub.mutex);
  unused = hub.retired.retire(std::move(object));
}

void Device::lose(const std::string& why) {
  tell_error("device-lost", "the device is lost: " + why);
  physical.instance->findings.count("device-lost");
  const std::lock_guard lock(hub.mutex);
  hub.lost = true;
  hub.changed.notify_all();
}

VkResult vkCreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                        const VkAllocationCallbacks*, VkDevice* device) {
  const Profile& profile = object_of(physical)->instance->settings.profile;
  for (std::uint32_t k = 0; k < info->enabledExtensionCount; ++k)
    if (!is_device_extension(info->ppEnabledExtensionNames[k], profile))
      return VK_ERROR_EXTENSION_NOT_PRESENT;
  return guarded([&] {
    *device = handle_of(new Device(*object_of(physical), *info));
    return VK_SUCCESS;
  });
}

void vkDestroyDevice(VkDevice device, const VkAllocationCallbacks*) {
  // In a child of fork() there are no threads that could be joined.
  if (device != VK_NULL_HANDLE && object_of(device)->hub.forked) return;
  delete object_of(device);
}

void vkGetDeviceQueue(VkDevice device, std::uint32_t, std::uint32_t index, VkQueue* queue) {
  *queue = handle_of(object_of(device)->queues[index].get());
}

void vkGetDeviceQueue2(VkDevice device, const VkDeviceQueueInfo2* info, VkQueue* queue) {
  // There are no protected queues, nor others with flags.
  *queue = info->flags != 0 ? VK_NULL_HANDLE
                            : handle_of(object_of(device)->queues[info->queueIndex].get());
}

VkResult vkDeviceWaitIdle(VkDevice device) {
  VkResult result = VK_SUCCESS;
  for (const auto& queue : object_of(device)->queues)
    if (const VkResult one = queue->wait_idle(); one != VK_SUCCESS) result = one;
  return result;
}

void vkGetDeviceGroupPeerMemoryFeatures(VkDevice, std::uint32_t, std::uint32_t, std::uint32_t,
                                        VkPeerMemoryFeatureFlags* features) {
  *features = VK_PEER_MEMORY_FEATURE_COPY_SRC_BIT | VK_PEER_MEMORY_FEATURE_COPY_DST_BIT |
              VK_PEER_MEMORY_FEATURE_GENERIC_SRC_BIT | VK_PEER_MEMORY_FEATURE_GENERIC_DST_BIT;
}

VkResult vkSetDebugUtilsObjectNameEXT(VkDevice, const VkDebugUtilsObjectNameInfoEXT* info) {
  // Those of other objects are shown nowhere.
  return guarded([&] {
    if (info->objectType == VK_OBJECT_TYPE_SHADER_MODULE)
      object_of(reinterpret_cast<VkShaderModule>(info->objectHandle))
          ->self()
          .name->set(info->pObjectName);
    else if (info->objectType == VK_OBJECT_TYPE_PIPELINE)
      object_of(reinterpret_cast<VkPipeline>(info->objectHandle))
          ->self.name->set(info->pObjectName);
    return VK_SUCCESS;
  });
}

VkResult vkSetDebugUtilsObjectTagEXT(VkDevice, const VkDebugUtilsObjectTagInfoEXT*) {
  return VK_SUCCESS;  // tags are for tools that know what they mean
}

VkResult vkGetCalibratedTimestampsEXT(VkDevice, std::uint32_t count,
                                      const VkCalibratedTimestampInfoEXT*, std::uint64_t* stamps,
                                      std::uint64_t* deviation) {
  // The device's clock is the host's monotonic one.
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  std::fill_n(stamps, count, static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count()));
  *deviation = 1;
  return VK_SUCCESS;
}

}  // namespace lockstep::driver
