#pragma once

#include "cli/command.hpp"

namespace lockstep::cli {

/// `lockstep capture`: runs shaders on a Vulkan device and writes jobs.
Command capture_command(CLI::App& program);

}  // namespace lockstep::cli
