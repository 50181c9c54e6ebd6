#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lockstep/spirv/shader.hpp>

#include "registry/kernel_case.hpp"

namespace lockstep::ports {

/// The bytes of an argument's elements.
std::span<std::byte> bytes_of(kernels::Argument& argument);
std::span<const std::byte> bytes_of(const kernels::Argument& argument);

/// The GLSL ports of a job's passes on the shader engine, compiled once for any number of runs of jobs
/// with the same passes.
class EnginePort {
 public:
  EnginePort(const kernels::KernelCase& job, const std::string& kernels_directory);

  /// Runs all passes one after another; returns what was found in them.
  FaultLog run(kernels::KernelCase& job, const DispatchSettings& settings);

 private:
  std::vector<Shader> shaders_;
};

}  // namespace lockstep::ports
