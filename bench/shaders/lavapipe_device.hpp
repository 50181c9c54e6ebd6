#pragma once

#include "capture/vulkan/runner.hpp"

namespace lockstep::bench {

/// Lavapipe on one thread; null if it is not installed.
const vulkan::Device* lavapipe_device();

}  // namespace lockstep::bench
