#pragma once

#include <deque>
#include <vector>

#include <lockstep/spirv/pipeline.hpp>

#include "shader/lower/lowered_shader.hpp"
#include "shader/run/program.hpp"

namespace lockstep::spirv {

/// A dispatch's memory by resource, and its samplers.
struct BoundMemory {
  std::vector<Memory> memory;
  std::deque<Sampler> samplers;
};

/// Finds what is bound to each of the shader's resources. Throws Error if it is missing or does not fit.
BoundMemory bind(const LoweredShader& shader, const DescriptorTable& descriptors,
                 const Dispatch& dispatch);

}  // namespace lockstep::spirv
