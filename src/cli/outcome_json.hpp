#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/command.hpp"

namespace lockstep::cli {

/// A run that has no results as the object of --json: failed, error, exit_status, and what else is known.
std::string failure_text(const std::string& message, ExitCode code,
                         const nlohmann::ordered_json& more = nlohmann::ordered_json::object());
/// Prints it to standard output.
void print_failure(const std::string& message, ExitCode code,
                   const nlohmann::ordered_json& more = nlohmann::ordered_json::object());

}  // namespace lockstep::cli
