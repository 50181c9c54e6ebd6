#pragma once

#include <string>
#include <vector>

#include "capture/job/job.hpp"

namespace lockstep::cli {

/// The dispatches of an Amber script, with the contents that buffers have before each in a run of Lockstep. Throws
/// UsageError for scripts that cannot run, and for what no folder can hold.
std::vector<job::Job> jobs_of_script(const std::string& file);

}  // namespace lockstep::cli
