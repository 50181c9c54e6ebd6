#include "driver/instance.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "driver/entry_points.hpp"
#include "driver/extensions.hpp"

namespace lockstep::driver {

namespace {

std::mutex living;
/// Never destroyed, since it is used at the end of the process.
std::set<Instance*>& instances() {
  static auto& all = *new std::set<Instance*>;
  return all;
}

/// Without a version, and for 0, that is 1.0.
std::uint32_t requested_minor(const VkInstanceCreateInfo& info) {
  if (info.pApplicationInfo == nullptr) return 0;
  return VK_API_VERSION_MINOR(info.pApplicationInfo->apiVersion);
}

}  // namespace

Instance::Instance(const VkInstanceCreateInfo& info)
    : extensions(info.enabledExtensionCount, info.ppEnabledExtensionNames),
      minor(requested_minor(info)),
      settings(Settings::from_environment()),
      findings(settings.sarif, settings.json, settings.found),
      capture(settings.capture),
      explorer(settings),
      second_device(settings) {
  set_loader_magic_value(&loader);
  set_loader_magic_value(&physical.loader);
  physical.instance = this;
  const std::lock_guard lock(living);
  instances().insert(this);
  static const int registered = std::atexit([] {
    const std::lock_guard lock_at_end(living);
    for (Instance* const instance : instances()) instance->sum_up();
  });
  static_cast<void>(registered);
}

Instance::~Instance() {
  const std::lock_guard lock(living);
  instances().erase(this);
  sum_up();
}

void Instance::sum_up() {
  const bool is_asked = settings.checks.any() || settings.explore.any() ||
                        !settings.against.empty() || !settings.found.empty();
  if (dispatches == 0 || (!is_asked && !findings.any())) return;
  std::string text = fmt::format("{} dispatch{}, {}", dispatches.load(),
                                 dispatches == 1 ? "" : "es", findings.summary());
  for (const std::string& more : {explorer.summary(), second_device.summary()})
    if (!more.empty()) text += "; " + more;
  print_error(text);
}

void Instance::tell(const Message& message) {
  VkDebugUtilsMessengerCallbackDataEXT data{};
  data.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT;
  data.pMessageIdName = message.id.c_str();
  data.pMessage = message.text.c_str();
  data.objectCount = static_cast<std::uint32_t>(message.objects.size());
  data.pObjects = message.objects.data();
  std::vector<Messenger> wanted;
  {
    const std::lock_guard lock(telling_);
    for (const Messenger* messenger : messengers_)
      if ((messenger->severities & message.severity) != 0 &&
          (messenger->types & message.types) != 0)
        wanted.push_back(*messenger);
  }
  // Without the lock: a callback may take as long as it likes.
  for (const Messenger& messenger : wanted)
    messenger.callback(message.severity, message.types, &data, messenger.user_data);
}

void Instance::add(Messenger* messenger) {
  const std::lock_guard lock(telling_);
  messengers_.push_back(messenger);
}

void Instance::remove(Messenger* messenger) {
  const std::lock_guard lock(telling_);
  std::erase(messengers_, messenger);
}

namespace {

/// Tells the messenger that a create info brings along, since there is no instance yet.
void tell_creator(const VkInstanceCreateInfo& info, const char* text) {
  const auto* creator = find_in_chain<VkDebugUtilsMessengerCreateInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
  if (creator == nullptr || creator->pfnUserCallback == nullptr ||
      (creator->messageSeverity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) == 0)
    return;
  VkDebugUtilsMessengerCallbackDataEXT data{};
  data.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT;
  data.pMessage = text;
  creator->pfnUserCallback(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                           VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, &data, creator->pUserData);
}

}  // namespace

VkResult vkCreateInstance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks*,
                          VkInstance* instance) {
  for (std::uint32_t k = 0; k < info->enabledExtensionCount; ++k)
    if (!is_instance_extension(info->ppEnabledExtensionNames[k]))
      return VK_ERROR_EXTENSION_NOT_PRESENT;
  return guarded([&] {
    try {
      *instance = handle_of(new Instance(*info));
      return VK_SUCCESS;
    } catch (const Error& error) {
      print_error(error.what());
      tell_creator(*info, error.what());
      return VK_ERROR_INITIALIZATION_FAILED;
    }
  });
}

void vkDestroyInstance(VkInstance instance, const VkAllocationCallbacks*) {
  delete object_of(instance);
}

VkResult vkEnumerateInstanceVersion(std::uint32_t* version) {
  *version = VK_MAKE_API_VERSION(0, 1, 3, VK_HEADER_VERSION);
  return VK_SUCCESS;
}

VkResult vkEnumerateInstanceExtensionProperties(const char* layer, std::uint32_t* count,
                                                VkExtensionProperties* properties) {
  if (layer != nullptr) return VK_ERROR_LAYER_NOT_PRESENT;
  return enumerate(instance_extensions(), count, properties);
}

VkResult vkEnumerateInstanceLayerProperties(std::uint32_t* count, VkLayerProperties*) {
  *count = 0;
  return VK_SUCCESS;
}

VkResult vkEnumeratePhysicalDevices(VkInstance instance, std::uint32_t* count,
                                    VkPhysicalDevice* devices) {
  const std::vector<VkPhysicalDevice> all{handle_of(&object_of(instance)->physical)};
  return enumerate(all, count, devices);
}

VkResult vkEnumeratePhysicalDeviceGroups(VkInstance instance, std::uint32_t* count,
                                         VkPhysicalDeviceGroupProperties* groups) {
  if (groups == nullptr) {
    *count = 1;
    return VK_SUCCESS;
  }
  if (*count == 0) return VK_INCOMPLETE;
  *count = 1;
  groups->physicalDeviceCount = 1;
  std::ranges::fill(groups->physicalDevices, VK_NULL_HANDLE);
  groups->physicalDevices[0] = handle_of(&object_of(instance)->physical);
  groups->subsetAllocation = VK_FALSE;
  return VK_SUCCESS;
}

VkResult vkCreateDebugUtilsMessengerEXT(VkInstance instance,
                                        const VkDebugUtilsMessengerCreateInfoEXT* info,
                                        const VkAllocationCallbacks*,
                                        VkDebugUtilsMessengerEXT* messenger) {
  return guarded([&] {
    auto made = std::make_unique<Messenger>(*info);
    object_of(instance)->add(made.get());
    *messenger = handle_of(made.release());
    return VK_SUCCESS;
  });
}

void vkDestroyDebugUtilsMessengerEXT(VkInstance instance, VkDebugUtilsMessengerEXT messenger,
                                     const VkAllocationCallbacks*) {
  if (messenger == VK_NULL_HANDLE) return;
  object_of(instance)->remove(object_of(messenger));
  delete object_of(messenger);
}

void vkSubmitDebugUtilsMessageEXT(VkInstance instance,
                                  VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                  VkDebugUtilsMessageTypeFlagsEXT types,
                                  const VkDebugUtilsMessengerCallbackDataEXT* data) {
  object_of(instance)->tell({.severity = severity,
                             .types = types,
                             .id = data->pMessageIdName == nullptr ? "" : data->pMessageIdName,
                             .text = data->pMessage == nullptr ? "" : data->pMessage,
                             .objects = {data->pObjects, data->objectCount}});
}

}  // namespace lockstep::driver
