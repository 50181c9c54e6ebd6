#include "cli/inspect/inspect.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/inspect/inspection.hpp"
#include "cli/inspect/mutants.hpp"
#include "cli/job_options.hpp"
#include "cli/run_options.hpp"
#include "cli/share.hpp"
#include "io/error.hpp"

namespace lockstep::cli {
namespace {

struct InspectOptions {
  RunOptions run;
  shader_case::SearchLimits search;
  bool mutants = false;
};

ExitCode run(const InspectOptions& options) {
  try {
    if (options.mutants) return list_mutants(with_job(options.run));
    return inspect(options.run, options.search);
  } catch (const lockstep::io::InputError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

Command inspect_command(CLI::App& program) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* app = program.add_subcommand("inspect", "Print what a shader declares and needs");
  app->add_option("FILE", options->run.files,
                  "A shader (.comp, .glsl, .hlsl, .slang, .wgsl, .cl, .spvasm, .asm.comp, .spv)")
      ->required()
      ->expected(1)
      ->transform(or_shared_file())
      ->option_text(" ");
  add_compile_options(*app, options->run);
  app->add_flag("--json", options->run.json, "Print JSON");
  app->add_flag(
      "--mutants", options->mutants,
      "List the faults that lockstep verify --mutate plants, with the numbers that --mutant "
      "takes,\nalso for a job");
  app->add_option("--search-runs", options->search.runs,
                  "Runs to search for inputs that reach more of the shader; 0 proposes zeros "
                  "(default: 200)")
      ->option_text("N");
  app->add_option("--seed", options->search.seed, "The seed of that search (default: 1)")
      ->option_text("N");
  app->add_option("--sets", options->search.sets,
                  "In JSON, inputs for so many runs that together reach more (default: 1)")
      ->option_text("N")
      ->check(CLI::Range(1, 64));
  app->footer(
      "Prints entry points, local size, bindings with the layouts of their blocks, push constants, "
      "specialization constants with their defaults, subgroup built-ins, features that a device "
      "must have, the profiles that have them, and a command that runs the shader: on zeros, or on "
      "inputs on which a short search reached more lines and sides of conditions.\n"
      "\n"
      "Examples:\n"
      "  lockstep inspect scan.comp\n"
      "  lockstep inspect scan.spv --entry scan --json");
  return {app, [options] { return run(*options); }};
}

}  // namespace lockstep::cli
