#pragma once

#include "cli/command.hpp"

namespace lockstep::cli {

/// `lockstep run`: runs a shader, or Amber scripts.
Command run_command(CLI::App& program);

}  // namespace lockstep::cli
