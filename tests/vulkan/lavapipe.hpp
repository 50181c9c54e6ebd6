#pragma once

#include <catch2/catch.hpp>

#include "capture/vulkan/runner.hpp"

namespace lockstep::test {

/// lavapipe, Mesa's driver for the CPU.
inline const vulkan::Device& lavapipe() {
  static const vulkan::Device device("llvmpipe");
  return device;
}

inline bool has_lavapipe() {
  for (const vulkan::Properties& device : vulkan::devices())
    if (device.name.starts_with("llvmpipe")) return true;
  WARN("no lavapipe on this machine (Debian: mesa-vulkan-drivers): nothing to compare with");
  return false;
}

}  // namespace lockstep::test
