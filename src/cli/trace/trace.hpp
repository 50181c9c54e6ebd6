#pragma once

#include <lockstep/trace/terminal.hpp>

#include "cli/command.hpp"

namespace lockstep::cli {

/// Declares `lockstep trace`: one subgroup's run of a kernel, step by step.
Command trace_command(CLI::App& program);

/// How to draw on standard output. 0 columns means those of the terminal, else 80. Colour: "auto",
/// "always" or "never".
trace::Look look_of_output(int columns, const std::string& colour);

}  // namespace lockstep::cli
