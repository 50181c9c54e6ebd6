#pragma once

#include <string>

#include "capture/job/job.hpp"
#include "cli/run_options.hpp"
#include "cli/shader_case.hpp"

/// \file
/// Between the folder of a job and the options of a run.

namespace lockstep::cli {

/// The options that run the job in the folder that is the first file: its shader, contents, size and lanes, where the
/// command line says nothing else. Any other file: the options as they are. Throws UsageError for options that a job sets
/// itself, and InputError.
RunOptions with_job(const RunOptions& options);

/// What the options and the shader make, as a job that has not run. Throws UsageError for what no folder can hold.
job::Job to_job(const ShaderCase& shader, const std::string& name, const std::string& command);

}  // namespace lockstep::cli
