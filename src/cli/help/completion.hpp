#pragma once

#include <string>
#include <vector>

#include "cli/help/command_pages.hpp"

namespace lockstep::cli {

/// A script that completes command lines of the program: its commands, options, and the values that are known.
std::string bash_completion(const std::vector<CommandPage>& pages);
std::string zsh_completion(const std::vector<CommandPage>& pages);
std::string fish_completion(const std::vector<CommandPage>& pages);

}  // namespace lockstep::cli
