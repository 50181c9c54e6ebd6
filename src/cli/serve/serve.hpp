#pragma once

#include "cli/command.hpp"

namespace lockstep::cli {

/// Declares `lockstep serve`: the page of a trace, live in a browser of this machine.
Command serve_command(CLI::App& program);

}  // namespace lockstep::cli
