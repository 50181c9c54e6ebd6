#pragma once

#include <span>

namespace CLI {
class App;
}

namespace lockstep::cli {

/// An option of lockstep run that means nothing to another subcommand.
struct RefusedOption {
  const char* name;
  const char* instead;  ///< what to do, as a sentence's second half
  bool takes_value = true;
};

/// Declares the options without showing them in the help: a user who gives one gets a UsageError that names it.
void refuse(CLI::App& app, std::span<const RefusedOption> options);

}  // namespace lockstep::cli
