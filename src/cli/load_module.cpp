#include "cli/load_module.hpp"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "io/arguments.hpp"
#include "shader/front/decoded_module.hpp"
#include "shader/front/mutants.hpp"

namespace lockstep::cli {
namespace {

/// The validator's message, and what may help if it does not know an instruction or a capability.
std::string with_advice(const std::string& message) {
  constexpr std::string_view unknown = ": is not valid: Invalid ";
  if (message.find(unknown) == std::string::npos) return message;
  return message + "; --no-validate runs modules that are newer than the validator";
}

/// Most of the time of loading a large module may be the validator's, which its users can do without.
void tell_slow_validator(const Module& module) {
  constexpr float slow = 1;
  const float seconds = module.decoded()->validator_seconds;
  if (seconds < slow) return;
  fmt::print(stderr,
             "lockstep: note: {}: SPIRV-Tools' validator took {:.1f} s, once for this module; "
             "--no-validate skips it\n",
             module.name(), seconds);
}

Module load(const std::string& file, const ModuleOptions& options, const RunOptions& run) {
  try {
    Module module = Module::load(file, options);
    tell_slow_validator(module);
    if (run.mutant == 0) return module;
    return module.with_words(
        spirv::mutated(module.decoded()->module, run.entry.value_or("main"), run.mutant), options);
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
  return load(options.files.front(), result, options);
}

}  // namespace lockstep::cli
