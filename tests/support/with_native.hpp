#pragma once

#include <cstdlib>
#include <vector>

#include "spirv/native/native.hpp"

namespace lockstep::test {

/// Shaders first dispatched at a size while it lives get machine code for the target.
class WithNative {
 public:
  explicit WithNative(spirv::Target target) {
    setenv("LOCKSTEP_NATIVE", target == spirv::Target::none ? "off" : name_of(target), 1);
  }
  ~WithNative() { unsetenv("LOCKSTEP_NATIVE"); }
  WithNative(const WithNative&) = delete;
  WithNative& operator=(const WithNative&) = delete;
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
