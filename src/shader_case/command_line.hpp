#pragma once

#include <string>
#include <vector>

#include "shader_case/run_options.hpp"

/// \file
/// Command lines that repeat a run.

namespace lockstep::shader_case {

/// The options that say what a shader is and what it runs on.
std::vector<std::string> input_options(const RunOptions& run);

/// The words as a shell reads them.
std::string as_command(const std::vector<std::string>& words);

}  // namespace lockstep::shader_case
