#pragma once

#include <exception>
#include <functional>

#include <lockstep/exec/reconvergence_stack.hpp>

#include "cli/run_options.hpp"
#include "cli/shader_case.hpp"

namespace lockstep::cli {

/// Runs a shader, and writes the trace of its first subgroup to the file of --trace, also of a run that ends with an error.
/// `run` dispatches with the convergence. Throws UsageError, and what the run throws. `unwritten` is why the trace cannot
/// be written, which does not keep the run's results from being saved.
ShaderRun run_traced(const RunOptions& options, const ShaderCase& shader,
                     const std::function<ShaderRun(const Convergence&)>& run,
                     std::exception_ptr& unwritten);

}  // namespace lockstep::cli
