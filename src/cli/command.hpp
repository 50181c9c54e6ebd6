#pragma once

/// \file
/// The parts of a subcommand of the `lockstep` program. Each file holds one subcommand, with one
/// function that declares its options and returns a Command; main.cpp lists those functions.

#include <cerrno>
#include <cstdio>
#include <functional>
#include <string>
#include <system_error>

#include "shader_case/usage_error.hpp"

namespace CLI {
class App;
}

namespace lockstep::cli {

/// The program's exit codes.
enum ExitCode : int {
  exit_fine = 0,
  exit_failed = 1,         ///< the kernel or an expectation failed
  exit_usage = 2,          ///< wrong usage or input
  exit_skipped = 3,        ///< nothing could run on this device
  exit_interrupted = 130,  ///< by Ctrl-C
};

using shader_case::UsageError;

/// Flushes what was printed; UsageError if it cannot be written, as on a full disk.
inline void flush_output() {
  if (std::fflush(stdout) == 0) return;
  throw UsageError("the output cannot be written: " + std::generic_category().message(errno) +
                   "; check its destination");
}

/// A subcommand: its options, and the job that runs when the command line names it.
struct Command {
  CLI::App* options;
  std::function<ExitCode()> run;
};

}  // namespace lockstep::cli
