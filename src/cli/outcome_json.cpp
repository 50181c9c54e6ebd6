#include "cli/outcome_json.hpp"

#include <fmt/format.h>

namespace lockstep::cli {

std::string failure_text(const std::string& message, ExitCode code,
                         const nlohmann::ordered_json& more) {
  nlohmann::ordered_json json{
      {"failed", true}, {"error", message}, {"exit_status", static_cast<int>(code)}};
  json.update(more);
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void print_failure(const std::string& message, ExitCode code, const nlohmann::ordered_json& more) {
  fmt::print("{}", failure_text(message, code, more));
}

}  // namespace lockstep::cli
