#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::test {

/// While it lives, instances are made with the driver of this build, with these variables.
class Environment {
 public:
  using Variable = std::pair<std::string, std::string>;

  explicit Environment(std::initializer_list<Variable> variables = {}) {
    set("VK_DRIVER_FILES", LOCKSTEP_VULKAN_MANIFEST);
    set("VK_ICD_FILENAMES", LOCKSTEP_VULKAN_MANIFEST);
    set("LOCKSTEP_MODULES", modules_);
    for (const auto& [name, value] : variables) set(name, value);
  }
  /// With subgroups of that size.
  explicit Environment(int subgroup_size)
      : Environment({{"LOCKSTEP_SUBGROUP_SIZE", std::to_string(subgroup_size)}}) {}
  ~Environment() {
    for (const std::string& name : names_) unsetenv(name.c_str());
    std::filesystem::remove_all(modules_);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  void set(const std::string& name, const std::string& value) {
    names_.push_back(name);
    setenv(name.c_str(), value.c_str(), 1);
  }

  std::vector<std::string> names_;
  /// For shader modules with findings, unless a test says otherwise.
  std::filesystem::path modules_ = std::filesystem::temp_directory_path() /
                                   ("lockstep-test-modules-" + std::to_string(getpid()));
};

/// Sizes to run everything at.
inline constexpr int driver_sizes[] = {4, 32, 128};

}  // namespace lockstep::test
