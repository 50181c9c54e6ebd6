#include <dlfcn.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "driver/environment.hpp"
#include "driver/vulkan.hpp"

using namespace lockstep::test;

namespace {

using Names = std::set<std::string>;

/// A file's contents.
std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What Vulkan's registry says about commands.
class Registry {
 public:
  explicit Registry(const std::string& xml) {
    const std::regex prototype(R"(<proto><type>\w+</type> *<name>(\w+)</name></proto>\s*)"
                               R"(<param[^>]*>(?:const )?<type>(\w+)</type>)");
    for_each(xml, prototype, [&](const std::smatch& m) { first_parameters_[m[1]] = m[2]; });
    const std::regex alias(R"x(<command name="(\w+)" +alias="(\w+)"/>)x");
    for_each(xml, alias,
             [&](const std::smatch& m) { first_parameters_[m[1]] = first_parameters_[m[2]]; });
    const std::regex block(R"x(<(feature|extension) [^>]*name="(\w+)"[^>]*[^/]>)x");
    for_each(xml, block, [&](const std::smatch& m) {
      const auto begin = static_cast<std::size_t>(m.position());
      blocks_[m[2]] = xml.substr(begin, xml.find("</" + m[1].str() + ">", begin) - begin);
    });
  }

  /// The commands of a version or an extension, but for those that need an extension that is not among these.
  Names commands_of(const std::string& name, const Names& extensions) const {
    Names found;
    static const std::regex needed(R"x(<require [^>]*(?:extension|feature)="(\w+)")x");
    static const std::regex command(R"x(<command +name="(\w+)")x");
    const std::string& block = blocks_.at(name);
    for (std::size_t at = block.find("<require"); at != std::string::npos;) {
      const std::size_t next = block.find("<require", at + 1);
      const std::string part = block.substr(at, next - at);
      at = next;
      std::smatch other;
      if (std::regex_search(part, other, needed) && !extensions.contains(other[1])) continue;
      for_each(part, command, [&](const std::smatch& m) { found.insert(m[1]); });
    }
    return found;
  }
  bool is_of_device(const std::string& command) const {
    const auto found = first_parameters_.find(command);
    return found != first_parameters_.end() &&
           (found->second == "VkDevice" || found->second == "VkQueue" ||
            found->second == "VkCommandBuffer");
  }
  Names all() const {
    Names names;
    for (const auto& [name, parameter] : first_parameters_) names.insert(name);
    return names;
  }
  bool knows(const std::string& name) const { return blocks_.contains(name); }

 private:
  template <class F>
  static void for_each(const std::string& text, const std::regex& what, F f) {
    for (std::sregex_iterator at(text.begin(), text.end(), what), end; at != end; ++at) f(*at);
  }

  std::map<std::string, std::string> first_parameters_, blocks_;
};

constexpr auto registry_path = "/usr/share/vulkan/registry/vk.xml";

/// The driver, without the loader, which has answers of its own.
class Driver {
 public:
  Driver() {
    const std::string manifest = text_of(LOCKSTEP_VULKAN_MANIFEST);
    std::smatch path;
    REQUIRE(std::regex_search(manifest, path, std::regex(R"x("library_path": *"([^"]+)")x")));
    void* const library = dlopen(
        std::filesystem::path(LOCKSTEP_VULKAN_MANIFEST).replace_filename(path[1].str()).c_str(),
        RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library != nullptr);
    get = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vk_icdGetInstanceProcAddr"));
    get_physical = reinterpret_cast<PFN_vkGetInstanceProcAddr>(
        dlsym(library, "vk_icdGetPhysicalDeviceProcAddr"));
    REQUIRE(get != nullptr);
    REQUIRE(get_physical != nullptr);
  }

  template <class F>
  F of(VkInstance instance, const char* name) const {
    const auto found = reinterpret_cast<F>(get(instance, name));
    REQUIRE(found != nullptr);
    return found;
  }
  Names extensions() const {
    const auto list = of<PFN_vkEnumerateInstanceExtensionProperties>(
        nullptr, "vkEnumerateInstanceExtensionProperties");
    std::uint32_t count = 0;
    list(nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> all(count);
    list(nullptr, &count, all.data());
    Names names;
    for (const auto& one : all) names.insert(one.extensionName);
    return names;
  }

  PFN_vkGetInstanceProcAddr get = nullptr, get_physical = nullptr;
};

std::vector<const char*> pointers(const Names& names) {
  std::vector<const char*> list;
  for (const std::string& name : names) list.push_back(name.c_str());
  return list;
}

/// An instance of Vulkan 1.minor and a device.
class Made {
 public:
  Made(const Driver& driver, std::uint32_t minor, const Names& for_instance,
       const Names& for_device)
      : driver_(driver) {
    VkApplicationInfo application{};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = VK_MAKE_API_VERSION(0, 1, minor, 0);
    const auto instance_names = pointers(for_instance), device_names = pointers(for_device);
    VkInstanceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pApplicationInfo = &application;
    info.enabledExtensionCount = static_cast<std::uint32_t>(instance_names.size());
    info.ppEnabledExtensionNames = instance_names.data();
    REQUIRE(driver.of<PFN_vkCreateInstance>(nullptr, "vkCreateInstance")(&info, nullptr,
                                                                         &instance) == VK_SUCCESS);
    std::uint32_t count = 1;
    REQUIRE(driver.of<PFN_vkEnumeratePhysicalDevices>(instance, "vkEnumeratePhysicalDevices")(
                instance, &count, &physical) == VK_SUCCESS);
    const float priority = 1;
    VkDeviceQueueCreateInfo queue{};
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo device_info{};
    device_info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    device_info.queueCreateInfoCount = 1;
    device_info.pQueueCreateInfos = &queue;
    device_info.enabledExtensionCount = static_cast<std::uint32_t>(device_names.size());
    device_info.ppEnabledExtensionNames = device_names.data();
    REQUIRE(driver.of<PFN_vkCreateDevice>(instance, "vkCreateDevice")(
                physical, &device_info, nullptr, &device) == VK_SUCCESS);
  }
  ~Made() {
    driver_.of<PFN_vkDestroyDevice>(instance, "vkDestroyDevice")(device, nullptr);
    driver_.of<PFN_vkDestroyInstance>(instance, "vkDestroyInstance")(instance, nullptr);
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;

  Names device_extensions() const {
    const auto list = driver_.of<PFN_vkEnumerateDeviceExtensionProperties>(
        instance, "vkEnumerateDeviceExtensionProperties");
    std::uint32_t count = 0;
    list(physical, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> all(count);
    list(physical, nullptr, &count, all.data());
    Names names;
    for (const auto& one : all) names.insert(one.extensionName);
    return names;
  }
  /// Of these commands those that vkGetInstanceProcAddr finds.
  Names found_by_instance(const Names& commands) const {
    Names found;
    for (const std::string& name : commands)
      if (driver_.get(instance, name.c_str()) != nullptr) found.insert(name);
    return found;
  }
  Names found_by_device(const Names& commands) const {
    const auto get = driver_.of<PFN_vkGetDeviceProcAddr>(instance, "vkGetDeviceProcAddr");
    Names found;
    for (const std::string& name : commands)
      if (get(device, name.c_str()) != nullptr) found.insert(name);
    return found;
  }

  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;

 private:
  const Driver& driver_;
};

Names without(Names names, const Names& others) {
  for (const std::string& name : others) names.erase(name);
  return names;
}

/// That two sets are equal, and otherwise only what one of them lacks.
void check_equal(const Names& found, const Names& expected) {
  CHECK(without(found, expected) == Names{});
  CHECK(without(expected, found) == Names{});
}

Names of_device(const Registry& registry, const Names& commands) {
  Names kept;
  for (const std::string& name : commands)
    if (registry.is_of_device(name)) kept.insert(name);
  return kept;
}

}  // namespace

TEST_CASE("a device has the commands of its version and of the extensions that are enabled") {
  if (!std::filesystem::exists(registry_path)) {
    WARN("without Vulkan's registry (Debian: libvulkan-dev)");
    return;
  }
  const Environment environment;
  const Registry registry(text_of(registry_path));
  const Driver driver;
  const Names for_instances = driver.extensions();
  const Names for_devices = Made(driver, 3, {}, {}).device_extensions();
  CHECK(for_devices.size() > 40);
  const Names all = registry.all();

  Names of_versions;
  for (std::uint32_t minor = 0; minor <= 3; ++minor) {
    CAPTURE(minor);
    of_versions.merge(registry.commands_of("VK_VERSION_1_" + std::to_string(minor), {}));
    const Made made(driver, minor, {}, {});
    check_equal(made.found_by_device(all), of_device(registry, of_versions));
    // Each extension alone.
    for (const std::string& name : for_devices) {
      if (!registry.knows(name)) continue;
      CAPTURE(name);
      Names enabled{name};
      if (minor > 0) enabled.insert("VK_VERSION_1_1");
      Names expected = of_device(registry, registry.commands_of(name, enabled));
      expected.merge(of_device(registry, of_versions));
      // It needs another extension in 1.0, with which the command is there, too.
      expected.insert("vkCmdPushDescriptorSetWithTemplateKHR");
      Names found = Made(driver, minor, {}, {name}).found_by_device(all);
      found.insert("vkCmdPushDescriptorSetWithTemplateKHR");
      check_equal(found, expected);
    }
  }
  for (const std::string& name : for_instances) {
    CAPTURE(name);
    const Names found = Made(driver, 0, {name}, {}).found_by_device(all);
    const Names added = without(found, Made(driver, 0, {}, {}).found_by_device(all));
    CHECK(added == of_device(registry, registry.commands_of(name, {})));
  }
}

TEST_CASE(
    "an instance has the commands of enabled extensions, and of all that its devices can have") {
  if (!std::filesystem::exists(registry_path)) return;
  const Environment environment;
  const Registry registry(text_of(registry_path));
  const Driver driver;
  const Names for_devices = Made(driver, 3, {}, {}).device_extensions();
  const Names all = registry.all();
  for (std::uint32_t minor = 0; minor <= 3; ++minor) {
    CAPTURE(minor);
    Names expected;
    for (std::uint32_t k = 0; k <= minor; ++k)
      expected.merge(registry.commands_of("VK_VERSION_1_" + std::to_string(k), {}));
    Names known = for_devices;
    known.insert("VK_VERSION_1_1");
    for (const std::string& name : for_devices)
      if (registry.knows(name)) expected.merge(registry.commands_of(name, known));
    const Made plain(driver, minor, {}, {});
    check_equal(plain.found_by_instance(all), expected);
    for (const std::string& name : driver.extensions()) {
      CAPTURE(name);
      const Made made(driver, minor, {name}, {});
      CHECK(without(made.found_by_instance(all), plain.found_by_instance(all)) ==
            registry.commands_of(name, {}));
    }
  }
}

TEST_CASE("the loader finds commands of physical devices alone by a function of its own") {
  const Environment environment;
  const Driver driver;
  const Made old(driver, 0, {}, {}), made(driver, 1, {}, {});
  CHECK(driver.get_physical(made.instance, "vkGetPhysicalDeviceFeatures2") != nullptr);
  CHECK(driver.get_physical(old.instance, "vkGetPhysicalDeviceFeatures2") == nullptr);
  CHECK(driver.get_physical(made.instance, "vkGetPhysicalDeviceFeatures2KHR") == nullptr);
  CHECK(driver.get_physical(made.instance, "vkCmdDispatch") == nullptr);
  CHECK(driver.get_physical(made.instance, "vkDestroyInstance") == nullptr);
  CHECK(driver.get_physical(old.instance, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR") !=
        nullptr);
}
