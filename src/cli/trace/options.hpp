#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lockstep/spirv/module.hpp>
#include <lockstep/trace/trace.hpp>

#include "cli/shader_case.hpp"
#include "shader_case/traced_run.hpp"

namespace lockstep::cli {

using shader_case::PageRun;
using shader_case::TracedRun;

/// Of 32 lanes these take some 2 GB.
inline constexpr std::uint64_t default_max_events = 1'000'000;

/// The command line of `lockstep trace`, as the user wrote it.
struct TraceOptions {
  RunOptions run;  ///< its file is what is traced: a kernel's name, a shader or a script
  std::vector<std::string> workgroup{"0"};
  std::string subgroup = "0";
  bool stack = false, events = false;
  bool brief = false;  ///< the drawing only
  int width = 0;
  std::string colour = "auto";
  std::string output;
  std::string steps;                  ///< "10", "10-" or "10-20"; empty: all
  std::string variables;              ///< names, all or none; empty: as the output has it
  std::optional<std::string> beside;  ///< the options of the second run
  std::uint64_t max_events =
      default_max_events;  ///< recorded ones, after which the run ends with an error

  const std::string& subject() const { return run.files.front(); }
  int subgroup_size() const { return run.subgroup_size.value_or(8); }
};

/// What to record, and under which rule. UsageError for options that mean nothing.
trace::Request request_of(const TraceOptions& options);

/// Runs and records a kernel, a shader or a script. Each throws UsageError and InputError, and AbsentSubgroup if the
/// requested subgroup did not run.
TracedRun trace_kernel(const TraceOptions& options, const trace::Request& request);
TracedRun trace_shader(const TraceOptions& options, const trace::Request& request);
TracedRun trace_script(const TraceOptions& options, const trace::Request& request);

}  // namespace lockstep::cli
