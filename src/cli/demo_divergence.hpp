#pragma once

#include "cli/command.hpp"

namespace lockstep::cli {

/// Declares `lockstep demo divergence`, below `lockstep demo`: what happens where lanes that
/// diverged do not rejoin, told with the allocation kernels.
Command demo_divergence_command(CLI::App& program);

}  // namespace lockstep::cli
