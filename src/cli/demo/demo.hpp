#pragma once

#include "cli/command.hpp"

namespace lockstep::cli {

/// Declares `lockstep demo`: the prefix-sum kernel at several subgroup sizes, checked and timed.
Command demo_command(CLI::App& program);

}  // namespace lockstep::cli
