#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/dispatch/mapping.hpp>
#include <lockstep/dispatch/profile.hpp>
#include <lockstep/dispatch/workgroup_order.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/chooser.hpp>
#include <lockstep/exec/lenient.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/spirv/float_order.hpp>
#include <lockstep/spirv/spec_constant.hpp>

#include "cli/command.hpp"

namespace lockstep::cli {

/// The command line of `lockstep run`, as the user wrote it.
struct RunOptions {
  std::vector<std::string> files;
  std::string groups, invocations;
  std::optional<int> subgroup_size;
  std::string device;
  std::vector<std::string> buffers, saves, against, specs, defines, include_dirs;
  std::vector<std::string> images, samplers, addresses;
  std::string push;
  std::vector<std::string> uniforms;
  std::optional<std::string> entry;
  std::string target_env;
  std::string compiler;
  std::string shift;
  bool no_validate = false;
  bool robust = false;
  std::string convergence, choose;
  std::string lenient;
  std::optional<std::string> check;
  std::string mapping, partial, order;
  int threads = 0;
  std::uint64_t max_steps = default_max_trips;
  bool stats = false, json = false;
  bool bits = false;
  bool strict = false;
  std::string strict_order;
  std::string explain;
  std::string junit, sarif;
  std::string trace;

  // Of a captured job, not of the command line.
  std::map<std::uint32_t, SpecConstant> constants;
  std::vector<std::uint32_t> lanes;  ///< as Dispatch has them
};

/// By a file's name: whether it is a script, or a shader in one of the forms that can be loaded.
bool is_amber(std::string_view file);
bool is_shader(std::string_view file);

/// What --mapping with --partial-subgroups, and --workgroup-order name; UsageError for something else.
Mapping mapping_of(const RunOptions& options);
WorkgroupOrder order_of(const RunOptions& options);

/// The rules of --check; none without it. UsageError for a name that is no rule.
Checks checks_of(const RunOptions& options);

/// The order of --strict-order; UsageError for something else.
FloatOrder float_order_of(const RunOptions& options);

/// What --lenient names.
Lenient lenient_of(const RunOptions& options);

/// The device of --device at the size of --subgroup-size; by default one for teaching with 32 lanes.
Profile profile_of(const RunOptions& options);

/// The rule and chooser of --convergence and --choose.
class RunConvergence {
 public:
  explicit RunConvergence(const RunOptions& options);
  RunConvergence(const RunConvergence&) = delete;
  RunConvergence& operator=(const RunConvergence&) = delete;

  /// For the dispatch; null if neither was given and there is no observer: then the fast machine runs.
  const Convergence* get(Observer* observer = nullptr);

 private:
  Chooser chooser_;
  Convergence convergence_;
  bool named_;
};

/// A message's first line; compiler messages may have several.
std::string first_line(const std::string& message);

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
