#pragma once

#include <string>
#include <vector>

#include "capture/vulkan/runner.hpp"
#include "registry/kernel_case.hpp"

namespace lockstep::vulkan {

/// A kernel's job on a Vulkan device: the GLSL ports of its passes, its arrays in buffers
/// and images.
///
/// Requires      `kernels_directory` holds the ports. The device outlives it.
/// Active lanes  As on the device.
/// Errors        Throws Error: a port does not compile, the driver fails.
/// Cost          Making it compiles the ports.
/// Spec          vkCmdDispatch
/// Example       tests/vulkan/port.cpp
class Port {
 public:
  Port(const Device& device, const kernels::KernelCase& job, const std::string& kernels_directory);

  /// What the ports need and the device lacks; empty if it can run them.
  const std::string& lacks() const { return lacks_; }

  /// Copies the arrays to the device. Requires that nothing is lacking, as do the next two.
  void upload(const kernels::KernelCase& job);
  /// Runs all passes; returns the sum of the seconds between submission and completion of each.
  double run();
  /// Copies the arrays from the device.
  void download(kernels::KernelCase& job) const;

 private:
  struct Step {
    Pipeline pipeline;
    Size3 workgroups;
    std::vector<const Resource*> resources;
    std::vector<std::byte> push_constants;
  };

  std::string lacks_;
  std::vector<Resource> resources_;
  std::vector<Step> steps_;
};

}  // namespace lockstep::vulkan
