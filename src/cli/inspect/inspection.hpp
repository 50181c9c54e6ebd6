#pragma once

#include "cli/run_options.hpp"
#include "shader_case/input_search.hpp"

namespace lockstep::cli {

/// Prints what the shader of the options declares and needs, with inputs that a search within the limits finds. Throws UsageError and InputError.
ExitCode inspect(const RunOptions& options, const shader_case::SearchLimits& limits);

}  // namespace lockstep::cli
