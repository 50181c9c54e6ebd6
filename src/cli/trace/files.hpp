#pragma once

#include <string>
#include <string_view>

#include <lockstep/trace/terminal.hpp>

#include "cli/trace/options.hpp"

namespace lockstep::cli {

/// Throws UsageError unless a trace can be written to the file. `option` is the one that names it.
void check_trace_file(const std::string& path, std::string_view option);

/// Writes a run, and the one beside it if there are two, in the form that the file's name says. The look is that of
/// .txt files; its steps are those of figures, too.
void write_trace(const PageRun& run, const PageRun* beside, const std::string& path,
                 const trace::Look& look = {.columns = 100});

/// Where two runs first differ, in each subgroup in which they do.
std::string differences_of(const trace::Trace& first, const trace::Trace& second);

}  // namespace lockstep::cli
