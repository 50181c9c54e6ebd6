#include "shaders/rounds.hpp"

#include <memory>

#include "shaders/lavapipe_device.hpp"

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

}  // namespace

std::unique_ptr<RivalRounds> make_rival_rounds(const Module& module,
                                               std::span<const std::byte> arguments) {
  const vulkan::Device* const device = lavapipe_device();
  if (device == nullptr || !device->lacks(module.words()).empty()) return nullptr;
  return std::make_unique<Lavapipe>(*device, module, arguments);
}

}  // namespace lockstep::bench
