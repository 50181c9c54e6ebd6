#include "shaders/lavapipe_device.hpp"

#include <cstdlib>
#include <memory>

namespace lockstep::bench {

const vulkan::Device* lavapipe_device() {
  static const auto device = []() -> std::unique_ptr<vulkan::Device> {
    setenv("LP_NUM_THREADS", "1", 0);
    for (const vulkan::Properties& p : vulkan::devices()) {
      if (p.name.starts_with("llvmpipe")) return std::make_unique<vulkan::Device>(p.name);
    }
    return nullptr;
  }();
  return device.get();
}

}  // namespace lockstep::bench
