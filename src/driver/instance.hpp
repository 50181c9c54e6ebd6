#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "driver/capture.hpp"
#include "driver/findings.hpp"
#include "driver/handle.hpp"
#include "driver/properties.hpp"
#include "driver/settings.hpp"

namespace lockstep::driver {

struct Instance;

/// The one device of an instance.
struct PhysicalDevice {
  VK_LOADER_DATA loader{};  ///< the loader's, first in every dispatchable object
  Instance* instance = nullptr;
  std::array<std::atomic<VkDeviceSize>, memory_heaps> allocated{};  ///< bytes of memory objects
};

/// A callback of VK_EXT_debug_utils.
struct Messenger {
  explicit Messenger(const VkDebugUtilsMessengerCreateInfoEXT& info)
      : severities(info.messageSeverity),
        types(info.messageType),
        callback(info.pfnUserCallback),
        user_data(info.pUserData) {}

  VkDebugUtilsMessageSeverityFlagsEXT severities;
  VkDebugUtilsMessageTypeFlagsEXT types;
  PFN_vkDebugUtilsMessengerCallbackEXT callback;
  void* user_data;
};

/// A message to the program.
struct Message {
  VkDebugUtilsMessageSeverityFlagBitsEXT severity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  VkDebugUtilsMessageTypeFlagsEXT types = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
  std::string id;    ///< a rule's name, for filters
  std::string text;  ///< in words
  std::span<const VkDebugUtilsObjectNameInfoEXT> objects = {};
};

/// All that the driver knows lives as long as an instance; there is no other state.
struct Instance {
  explicit Instance(const VkInstanceCreateInfo& info);

  /// Gives the message to all messengers that want it.
  void tell(const Message& message);
  void add(Messenger* messenger);
  void remove(Messenger* messenger);

  VK_LOADER_DATA loader{};
  Settings settings;
  PhysicalDevice physical;
  Findings findings;
  Capture capture;

 private:
  std::mutex telling_;
  std::vector<Messenger*> messengers_;
};

LOCKSTEP_ICD_HANDLE(VkInstance, Instance)
LOCKSTEP_ICD_HANDLE(VkPhysicalDevice, PhysicalDevice)
LOCKSTEP_ICD_HANDLE(VkDebugUtilsMessengerEXT, Messenger)

}  // namespace lockstep::driver
