#include "cli/load_module.hpp"

#include "run/arguments.hpp"

namespace lockstep::cli {

Module load_module(const RunOptions& options) {
  ModuleOptions result;
  result.include_dirs = options.include_dirs;
  result.entry = options.entry.value_or("main");
  result.target = options.target_env;
  result.limits = CompileLimits{};
  for (const std::string& text : options.defines)
    result.defines.push_back(lockstep::run::parse_define(text));
  return with_usage_errors([&] { return Module::load(options.files.front(), result); });
}

}  // namespace lockstep::cli
