#pragma once

#include "cli/command.hpp"

namespace lockstep::cli {

/// `lockstep vulkan COMMAND ...`: runs a command whose Vulkan device is Lockstep's.
Command vulkan_command(CLI::App& program);

}  // namespace lockstep::cli
