#pragma once

#include <string>
#include <vector>

#include <lockstep/trace/trace.hpp>

#include "cli/run_buffers.hpp"
#include "cli/run_options.hpp"

namespace lockstep::cli {

/// The command line of `lockstep trace`, as the user wrote it.
struct TraceOptions {
  RunOptions run;  ///< its file is what is traced: a kernel's name, a shader or a script
  std::vector<std::string> workgroup{"0"};
  std::string subgroup = "0";
  bool stack = false, events = false;
  int width = 0;
  std::string colour = "auto";
  std::string output;

  const std::string& subject() const { return run.files.front(); }
  int subgroup_size() const { return run.subgroup_size.value_or(8); }
};

/// A recorded run, and what came of it.
struct TracedRun {
  trace::Trace trace;
  std::string wrong = {};        ///< what is wrong with the result, if that is known
  bool has_expectation = false;  ///< whether it would be
  std::vector<BoundBuffer> before = {}, written = {};  ///< the buffers that a shader may write
  FaultLog findings = {};                              ///< of a checked run
};

/// Runs and records a kernel, a shader or a script. Each throws UsageError and InputError, and AbsentSubgroup if the
/// requested subgroup did not run.
TracedRun trace_kernel(const TraceOptions& options, const trace::Request& request);
TracedRun trace_shader(const TraceOptions& options, const trace::Request& request);
TracedRun trace_script(const TraceOptions& options, const trace::Request& request);

}  // namespace lockstep::cli
