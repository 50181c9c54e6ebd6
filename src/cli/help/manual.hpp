#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/help/command_pages.hpp"

namespace lockstep::cli {

/// The manual page lockstep(1) in roff. `version` is that of --version.
std::string manual_page(const std::vector<CommandPage>& pages, std::string_view version);

}  // namespace lockstep::cli
