#pragma once

#include "cli/command.hpp"

namespace lockstep::cli {

/// `lockstep inspect`: what a shader declares and needs.
Command inspect_command(CLI::App& program);

}  // namespace lockstep::cli
