#pragma once

/// \file
/// What a Device holds: for the sources of this folder.

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include <lockstep/exec/error.hpp>

#include "capture/vulkan/runner.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <vulkan/vulkan_raii.hpp>
#pragma GCC diagnostic pop

namespace lockstep::vulkan {

/// Runs f; Vulkan's exceptions become Errors that say what was being done.
template <class F>
auto doing(const char* what, F f) {
  try {
    return f();
  } catch (const vk::Error& error) {
    throw Error(fmt::format("Vulkan: {}: {}", what, error.what()));
  }
}

/// A logical device with all features that shaders may need, and the extensions that were enabled for them.
struct Opened {
  vk::raii::Device device;
  std::set<std::string> extensions;
};
vk::raii::Instance make_instance(const vk::raii::Context& context);
Opened open_device(const vk::raii::PhysicalDevice& physical, std::uint32_t family);
std::uint32_t compute_family_of(const vk::raii::PhysicalDevice& physical);
Properties properties_of(const vk::raii::PhysicalDevice& physical);

struct Device::Parts {
  using Find = std::function<vk::raii::PhysicalDevice(const vk::raii::Instance&)>;
  explicit Parts(const Find& find)
      : instance(make_instance(context)),
        physical(find(instance)),
        properties(properties_of(physical)),
        family(compute_family_of(physical)),
        opened(open_device(physical, family)),
        device(opened.device),
        queue(device, family, 0),
        commands(device, vk::CommandPoolCreateInfo(
                             vk::CommandPoolCreateFlagBits::eResetCommandBuffer, family)),
        command(std::move(vk::raii::CommandBuffers(
            device,
            vk::CommandBufferAllocateInfo(*commands, vk::CommandBufferLevel::ePrimary, 1))[0])),
        fence(device, vk::FenceCreateInfo()) {}

  /// Submits what `record` records and waits; returns the seconds that took.
  template <class F>
  double submit(F record) {
    command.begin(vk::CommandBufferBeginInfo(vk::CommandBufferUsageFlagBits::eOneTimeSubmit));
    record(command);
    command.end();
    const auto start = std::chrono::steady_clock::now();
    queue.submit(vk::SubmitInfo({}, {}, *command), *fence);
    if (device.waitForFences(*fence, VK_TRUE, most_nanoseconds) != vk::Result::eSuccess)
      throw Error("Vulkan: the device did not finish within ten minutes");
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    device.resetFences(*fence);
    command.reset();
    return seconds.count();
  }

  static constexpr std::uint64_t most_nanoseconds = std::uint64_t{600} * 1'000'000'000;

  vk::raii::Context context;
  vk::raii::Instance instance;
  vk::raii::PhysicalDevice physical;
  Properties properties;
  std::uint32_t family;
  Opened opened;
  vk::raii::Device& device;
  vk::raii::Queue queue;
  vk::raii::CommandPool commands;
  vk::raii::CommandBuffer command;
  vk::raii::Fence fence;
};

}  // namespace lockstep::vulkan
