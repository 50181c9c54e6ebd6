#pragma once

#include "cli/command.hpp"

namespace lockstep::cli {

/// Declares `lockstep lesson [N]`.
Command lesson_command(CLI::App& program);

}  // namespace lockstep::cli
