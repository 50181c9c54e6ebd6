#pragma once

#include <cstdlib>

namespace lockstep::test {

/// As long as it lives, shaders get no machine code.
class WithoutNative {
 public:
  WithoutNative() { setenv("LOCKSTEP_NATIVE", "off", 1); }
  ~WithoutNative() { unsetenv("LOCKSTEP_NATIVE"); }
  WithoutNative(const WithoutNative&) = delete;
  WithoutNative& operator=(const WithoutNative&) = delete;
};

}  // namespace lockstep::test
