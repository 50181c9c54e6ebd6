#pragma once

#include "cli/command.hpp"

namespace lockstep::cli {

/// `lockstep explore`: what a shader's result depends on.
Command explore_command(CLI::App& program);

}  // namespace lockstep::cli
