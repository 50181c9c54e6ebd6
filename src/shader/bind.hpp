#pragma once

#include <memory>

#include <lockstep/spirv/pipeline.hpp>

#include "shader/lower/lowered_shader.hpp"
#include "shader/run/bound_memory.hpp"

namespace lockstep::spirv {

/// Finds what is bound to each of the shader's resources. Throws Error if it does not fit, or is missing although the
/// shader uses it, unless the table may be partially bound.
std::shared_ptr<const BoundMemory> bind(const LoweredShader& shader,
                                        const DescriptorTable& descriptors, bool partially_bound);

}  // namespace lockstep::spirv
