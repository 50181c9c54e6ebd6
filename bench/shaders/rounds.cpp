#include "shaders/rounds.hpp"

#include <cstdlib>
#include <memory>

#include "capture/vulkan/runner.hpp"

namespace lockstep::bench {
namespace {

class Lavapipe : public RivalRounds {
 public:
  Lavapipe(const vulkan::Device& device, const Module& module, std::span<const std::byte> arguments)
      : x_(vulkan::Resource::buffer(device, arguments.size())),
        y_(vulkan::Resource::buffer(device, arguments.size())),
        pipeline_(device, module.words(), {{.binding = 0}, {.binding = 1}}, {"main", 4, {}, 0}) {
    x_.upload(arguments);
  }
  double run(std::uint32_t rounds) override {
    const vulkan::Resource* const both[] = {&x_, &y_};
    return pipeline_.run({round_workgroups}, both, std::as_bytes(std::span(&rounds, 1)));
  }

 private:
  vulkan::Resource x_, y_;
  vulkan::Pipeline pipeline_;
};

const vulkan::Device* find_lavapipe() {
  static const auto device = []() -> std::unique_ptr<vulkan::Device> {
    setenv("LP_NUM_THREADS", "1", 0);
    for (const vulkan::Properties& p : vulkan::devices()) {
      if (p.name.starts_with("llvmpipe")) return std::make_unique<vulkan::Device>(p.name);
    }
    return nullptr;
  }();
  return device.get();
}

}  // namespace

std::unique_ptr<RivalRounds> make_rival_rounds(const Module& module,
                                               std::span<const std::byte> arguments) {
  const vulkan::Device* const device = find_lavapipe();
  if (device == nullptr || !device->lacks(module.words()).empty()) return nullptr;
  return std::make_unique<Lavapipe>(*device, module, arguments);
}

}  // namespace lockstep::bench
