#include "cli/refused_options.hpp"

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command.hpp"

namespace lockstep::cli {

void refuse(CLI::App& app, std::span<const RefusedOption> options) {
  for (const RefusedOption& option : options) {
    const std::string message =
        fmt::format("{} is an option of lockstep run, not of lockstep {}: {}", option.name,
                    app.get_name(), option.instead);
    const auto complain = [message] { throw UsageError(message); };
    CLI::Option* hidden =
        option.takes_value
            ? app.add_option_function<std::vector<std::string>>(
                     option.name, [complain](const std::vector<std::string>&) { complain(); })
                  ->allow_extra_args(false)
            : app.add_flag_callback(option.name, complain);
    hidden->group("");
  }
}

}  // namespace lockstep::cli
