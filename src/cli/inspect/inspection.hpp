#pragma once

#include "cli/run_options.hpp"

namespace lockstep::cli {

/// Prints what the shader of the options declares and needs. Throws UsageError and InputError.
ExitCode inspect(const RunOptions& options);

}  // namespace lockstep::cli
