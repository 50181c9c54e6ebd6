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
#include "driver/explorer.hpp"
#include "driver/extensions.hpp"
#include "driver/findings.hpp"
#include "driver/handle.hpp"
#include "driver/memory.hpp"
#include "driver/properties.hpp"
#include "driver/second_device.hpp"
#include "driver/settings.hpp"

namespace lockstep::driver {

struct Instance;

/// The one device of an instance.
struct PhysicalDevice {
  VK_LOADER_DATA loader{};  ///< the loader's, first in every dispatchable object
  Instance* instance = nullptr;
  Allocated allocated;
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
  /// Sums up on stderr what was found; at the end of the process, if the program does not destroy the instance.
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  void sum_up();
  /// Gives the message to all messengers that want it.
  void tell(const Message& message);
  void add(Messenger* messenger);
  void remove(Messenger* messenger);

  VK_LOADER_DATA loader{};
  EnabledExtensions extensions;
  std::uint32_t minor;  ///< the version of Vulkan 1 that the program asks for
  Settings settings;
  PhysicalDevice physical;
  Findings findings;
  Capture capture;
  Explorer explorer;
  SecondDevice second_device;
  std::atomic<std::uint32_t> dispatches = 0;  ///< so far

 private:
  std::mutex telling_;
  std::vector<Messenger*> messengers_;
};

LOCKSTEP_ICD_HANDLE(VkInstance, Instance)
LOCKSTEP_ICD_HANDLE(VkPhysicalDevice, PhysicalDevice)
LOCKSTEP_ICD_HANDLE(VkDebugUtilsMessengerEXT, Messenger)

}  // namespace lockstep::driver
