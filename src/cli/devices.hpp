#pragma once

#include "cli/command.hpp"

namespace lockstep::cli {

/// `lockstep devices`: lists the device profiles, or prints one of them as vulkaninfo does.
Command devices_command(CLI::App& program);

}  // namespace lockstep::cli
