#pragma once

#include "cli/command.hpp"

namespace lockstep::cli {

/// Declares `lockstep explain [BUILT-IN | TOPIC]`.
Command explain_command(CLI::App& program);

}  // namespace lockstep::cli
