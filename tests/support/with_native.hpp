#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "shader/native/native.hpp"

namespace lockstep::test {

/// Shaders first dispatched at a size while it lives get machine code for the target. Afterwards the
/// environment chooses as before.
class WithNative {
 public:
  /// A value of LOCKSTEP_NATIVE; null for the engine's own choice.
  explicit WithNative(const char* choice) {
    if (const char* before = std::getenv(variable)) before_ = before;
    choose(choice);
  }
  explicit WithNative(spirv::Target target)
      : WithNative(target == spirv::Target::none ? "off" : name_of(target)) {}
  ~WithNative() { choose(before_ ? before_->c_str() : nullptr); }
  WithNative(const WithNative&) = delete;
  WithNative& operator=(const WithNative&) = delete;

 private:
  static constexpr const char* variable = "LOCKSTEP_NATIVE";

  static void choose(const char* choice) {
    if (choice != nullptr)
      setenv(variable, choice, 1);
    else
      unsetenv(variable);
  }

  std::optional<std::string> before_;
};

/// No machine code, and each kind that this processor runs; the best one last.
inline std::vector<spirv::Target> native_targets() {
  std::vector<spirv::Target> all{spirv::Target::none};
  for (const auto target : {spirv::Target::calls, spirv::Target::avx2, spirv::Target::avx512}) {
    if (is_supported(target)) all.push_back(target);
  }
  return all;
}

}  // namespace lockstep::test
