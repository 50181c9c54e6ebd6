#include <lockstep/exec/error.hpp>

#include "capture/vulkan/port.hpp"
#include "registry/registry.hpp"
#include "shaders/lavapipe_device.hpp"
#include "shaders/rival.hpp"

/// \file
/// Lavapipe, Mesa's Vulkan driver for the CPU, as the rival: on one thread, like the engine.

namespace lockstep::bench {
namespace {

class Lavapipe : public Rival {
 public:
  Lavapipe(const vulkan::Device& device, const kernels::Entry& entry, kernels::KernelCase kernel)
      : before_(std::move(kernel)), port_(device, before_, LOCKSTEP_KERNELS_DIR), entry_(entry) {}

  bool can() const { return port_.lacks().empty(); }
  void check() {
    run();
    kernels::KernelCase after = before_;
    port_.download(after);
    if (const std::string wrong = entry_.verify(before_, after); !wrong.empty()) throw Error(wrong);
  }
  double run() override {
    port_.upload(before_);  // not timed
    return port_.run();
  }

 private:
  kernels::KernelCase before_;
  vulkan::Port port_;
  const kernels::Entry& entry_;
};

std::unique_ptr<Rival> make(const std::string& kernel, std::size_t elements) {
  const vulkan::Device* const device = lavapipe_device();
  if (device == nullptr) return nullptr;
  const auto size = static_cast<int>(device->properties().subgroup_size);
  const kernels::Entry& entry = *kernels::find_kernel(kernel);
  if (!entry.undefined_at(size).empty()) return nullptr;
  auto rival = std::make_unique<Lavapipe>(*device, entry,
                                          entry.make_case(entry.make_input(elements, 1), size));
  if (!rival->can()) return nullptr;
  rival->check();
  return rival;
}

const bool set = [] {
  make_rival() = make;
  return true;
}();

}  // namespace
}  // namespace lockstep::bench
