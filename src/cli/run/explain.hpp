#pragma once

#include <string>
#include <vector>

#include <lockstep/spirv/pipeline.hpp>

#include "cli/run_options.hpp"
#include "cli/shader_case.hpp"

namespace lockstep::cli {

/// Throws UsageError for an element of --explain that there is not.
void check_explained(const ShaderCase& shader, const RunOptions& options);

/// How the element of --explain comes about and what a device may have there: a line for each operation, the last
/// one first. Runs the shader on the buffers, which are what they were at the start.
std::vector<std::string> explain(const ShaderCase& shader, const Pipeline& pipeline,
                                 const RunOptions& options,
                                 const std::vector<BoundBuffer>& initial);

}  // namespace lockstep::cli
