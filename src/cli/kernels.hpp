#pragma once

#include "cli/command.hpp"

namespace lockstep::cli {

/// `lockstep kernels`: lists the kernels that `lockstep run-kernel` runs.
Command kernels_command(CLI::App& program);

/// `lockstep run-kernel NAME`: runs a kernel at a subgroup size and checks its results.
Command run_kernel_command(CLI::App& program);

}  // namespace lockstep::cli
