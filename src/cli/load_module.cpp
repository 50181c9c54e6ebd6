#include "cli/load_module.hpp"

#include <string>
#include <string_view>

#include "io/arguments.hpp"

namespace lockstep::cli {
namespace {

/// The validator's message, and what may help if it does not know an instruction or a capability.
std::string with_advice(const std::string& message) {
  constexpr std::string_view unknown = ": is not valid: Invalid ";
  if (message.find(unknown) == std::string::npos) return message;
  return message + "; --no-validate runs modules that are newer than the validator";
}

Module load(const std::string& file, const ModuleOptions& options) {
  try {
    return Module::load(file, options);
  } catch (const Error& error) {
    throw UsageError(with_advice(first_line(error.what())));
  }
}

}  // namespace

Module load_module(const RunOptions& options) {
  ModuleOptions result;
  result.include_dirs = options.include_dirs;
  result.entry = options.entry.value_or("main");
  result.target = options.target_env;
  result.limits = CompileLimits{};
  result.compiler = options.compiler;
  result.validate = !options.no_validate;
  result.registers = lockstep::io::parse_shifts(options.shift);
  for (const std::string& text : options.defines)
    result.defines.push_back(lockstep::io::parse_define(text));
  return load(options.files.front(), result);
}

}  // namespace lockstep::cli
