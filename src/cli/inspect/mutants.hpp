#pragma once

#include "cli/run_options.hpp"

namespace lockstep::cli {

/// Prints the faults that --mutant can plant in the shader of the options. Throws UsageError and InputError.
ExitCode list_mutants(const RunOptions& options);

}  // namespace lockstep::cli
