#pragma once

#include <atomic>
#include <string>

#include "cli/command.hpp"

namespace lockstep::cli {

/// Runs an experiment in a child process, with the limits of serve_limits on time, memory and the size of the answer,
/// and returns its answer, or one that says what limit it has met. Once `stop` is set, children are killed.
std::string answer_in_child(const std::string& request, const std::atomic<bool>& stop);

/// The child: reads a request from standard input and writes the answer to standard output. It cannot open files.
ExitCode run_serve_worker();

}  // namespace lockstep::cli
