#pragma once

#include <functional>

#include <lockstep/exec/reconvergence_stack.hpp>

#include "cli/run_options.hpp"
#include "cli/shader_job.hpp"

namespace lockstep::cli {

/// Runs a job, and writes the trace of its first subgroup to the file of --trace, also of a run that ends with an error.
/// `run` dispatches with the convergence. Throws UsageError, and what the run throws.
ShaderRun run_traced(const RunOptions& options, const ShaderJob& job,
                     const std::function<ShaderRun(const Convergence&)>& run);

}  // namespace lockstep::cli
