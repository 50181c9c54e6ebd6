#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/dispatch/profile.hpp>

#include "driver/vulkan.hpp"

namespace lockstep::driver {

/// Those of instances.
std::span<const VkExtensionProperties> instance_extensions();
/// Those of a device with that profile: each whose features it has.
std::vector<VkExtensionProperties> device_extensions(const Profile& profile);

bool is_instance_extension(std::string_view name);
bool is_device_extension(std::string_view name, const Profile& profile);

/// Names of those that a program enables.
class EnabledExtensions {
 public:
  EnabledExtensions(std::uint32_t count, const char* const* names) : names_(names, names + count) {}
  bool contains(std::string_view name) const { return names_.contains(name); }

 private:
  std::set<std::string, std::less<>> names_;
};

}  // namespace lockstep::driver
