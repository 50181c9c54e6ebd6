#pragma once

#include "cli/trace/options.hpp"

namespace lockstep::cli {

/// Declares what decides how the subject of `lockstep trace` runs, also of the second run of --beside.
void add_trace_run_options(CLI::App& app, TraceOptions& options);

/// The options of the second run: those of the first one, unless --beside says something else. UsageError for what is
/// no option of a run.
TraceOptions beside_options(const TraceOptions& first);

}  // namespace lockstep::cli
