#pragma once

#include "cli/command.hpp"

namespace lockstep::cli {

/// Declares `lockstep demo divergence`, below `lockstep demo`: explains with the allocation kernels
/// what happens where diverged lanes do not rejoin.
Command demo_divergence_command(CLI::App& program);

}  // namespace lockstep::cli
