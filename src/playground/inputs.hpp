#pragma once

#include <string>
#include <vector>

#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/reflection.hpp>

#include "shader_case/run_options.hpp"

namespace lockstep::playground {

using shader_case::RunOptions;

/// Removes values of specialization constants that the shader does not have.
void drop_foreign_constants(const Module& module, RunOptions& options);

/// Removes contents for what the shader does not have, for example left over from the shader before it.
void drop_foreign_inputs(const Reflection& shader, RunOptions& options);

/// Contents for the buffers of a shader that the options leave out, as --buffer has them: numbers from 0 where the
/// shader only reads, zeros elsewhere; an array without a size has an element for each of the invocations.
std::vector<std::string> default_buffers(const Reflection& shader, const RunOptions& options,
                                         std::uint64_t invocations);

/// Adds images and samplers that the options leave out, as --image and --sampler have them: random texels where the
/// shader only reads, zeros elsewhere, about as many as there are invocations; samplers are linear and repeat.
void add_default_images(const Reflection& shader, RunOptions& options, const Size3& invocations);

}  // namespace lockstep::playground
