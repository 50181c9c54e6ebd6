#pragma once

#include "cli/command.hpp"

namespace lockstep::cli {

/// `lockstep check`: judges what devices left in the buffers of captured jobs.
Command check_command(CLI::App& program);

}  // namespace lockstep::cli
