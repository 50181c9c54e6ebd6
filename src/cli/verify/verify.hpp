#pragma once

#include "cli/command.hpp"

namespace lockstep::cli {

/// `lockstep verify`: runs, checks and explores shaders, and compares their results.
Command verify_command(CLI::App& program);

}  // namespace lockstep::cli
