#pragma once

#include <string>
#include <string_view>

#include "cli/command.hpp"
#include "shader_case/run_options.hpp"

namespace lockstep::cli {

using shader_case::first_line;
using shader_case::RunConvergence;
using shader_case::RunOptions;
using shader_case::with_usage_errors;

/// By a file's name: whether it is a script, or a shader in one of the forms that can be loaded.
bool is_amber(std::string_view file);
bool is_shader(std::string_view file);

/// Declares the options that decide what a shader runs on: --groups, --buffer, --image, --sampler, --push and so on.
void add_input_options(CLI::App& app, RunOptions& options);
/// Throws UsageError for options that a shader needs and that something else, as an Amber script, sets itself.
void require_no_shader_options(const RunOptions& options, const char* what = "an Amber script");
/// Adds the options of what an implementation may choose: --convergence, --choose, --mapping, --partial-subgroups.
void add_choice_options(CLI::App& app, RunOptions& options);
/// --workgroup-order.
void add_order_option(CLI::App& app, RunOptions& options);
/// --lenient.
void add_lenient_option(CLI::App& app, RunOptions& options);
/// --save.
void add_save_option(CLI::App& app, RunOptions& options);
/// Throws UsageError unless one of --groups and --invocations is given.
void require_grid(const RunOptions& options);
/// Declares the options that decide what is compiled: -D, -I, --entry, --spec, --target-env, --compiler, --shift,
/// --no-validate, --robust.
void add_compile_options(CLI::App& app, RunOptions& options);

/// Runs one shader.
ExitCode run_shader(const RunOptions& options);
/// Runs Amber scripts.
ExitCode run_amber(const RunOptions& options);

}  // namespace lockstep::cli
