#pragma once

#include "cli/command.hpp"

namespace lockstep::cli {

/// `lockstep generate`, which is not listed: prints the manual page, or completion for a shell, from the descriptions of
/// the program's commands. The build runs it.
Command generate_command(CLI::App& program);

}  // namespace lockstep::cli
