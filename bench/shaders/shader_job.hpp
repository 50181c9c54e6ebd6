#pragma once

#include <memory>
#include <string>
#include <vector>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/spirv/shader.hpp>

#include "kernels/job.hpp"

namespace lockstep::bench {

/// A kernel's job run from its GLSL twins by the shader engine.
class ShaderJob {
 public:
  ShaderJob(const kernels::Job& job, const std::string& kernels_directory);

  /// Runs all passes on the job's arrays.
  void run(kernels::Job& job, const DispatchSettings& settings);

 private:
  std::vector<Shader> shaders_;
};

/// The same job on another machine, for comparison.
class Rival {
 public:
  virtual ~Rival() = default;
  /// Seconds that one run takes on one thread; throws Error if the result is wrong.
  virtual double run() = 0;
};

/// Makes the job's rival, or null; set by whoever has one.
using MakeRival = std::unique_ptr<Rival> (*)(const std::string& kernel, std::size_t elements);
MakeRival& make_rival();

}  // namespace lockstep::bench
