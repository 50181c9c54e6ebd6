#include "cli/outcome_json.hpp"

#include <fmt/format.h>

namespace lockstep::cli {

void print_failure(const std::string& message, ExitCode code, const nlohmann::ordered_json& more) {
  nlohmann::ordered_json json{
      {"failed", true}, {"error", message}, {"exit_status", static_cast<int>(code)}};
  json.update(more);
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace lockstep::cli
