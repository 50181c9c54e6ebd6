#include "cli/inspect/inspect.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/inspect/inspection.hpp"
#include "cli/run_options.hpp"
#include "cli/share.hpp"
#include "io/error.hpp"

namespace lockstep::cli {
namespace {

ExitCode run(const RunOptions& options) {
  try {
    return inspect(options);
  } catch (const lockstep::io::InputError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

Command inspect_command(CLI::App& program) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* app = program.add_subcommand("inspect", "Print what a shader declares and needs");
  app->add_option("FILE", options->files,
                  "A shader (.comp, .glsl, .hlsl, .slang, .wgsl, .cl, .spvasm, .asm.comp, .spv)")
      ->required()
      ->expected(1)
      ->transform(or_shared_file())
      ->option_text(" ");
  add_compile_options(*app, *options);
  app->add_flag("--json", options->json, "Print JSON");
  app->footer(
      "Prints entry points, local size, bindings with the layouts of their blocks, push constants, "
      "specialization constants with their defaults, subgroup built-ins, features that a device "
      "must have, the profiles that have them, and a command that runs the shader.\n"
      "\n"
      "Examples:\n"
      "  lockstep inspect scan.comp\n"
      "  lockstep inspect scan.spv --entry scan --json");
  return {app, [options] { return run(*options); }};
}

}  // namespace lockstep::cli
