#pragma once

#include <functional>
#include <string>

#include "cli/command.hpp"

namespace lockstep::cli {

/// Runs an experiment in a child process, with the limits of serve_limits on time, memory and the size of the answer,
/// and returns its answer, or one that says what limit it has met. The child is
/// killed, and there is no answer, once `is_over` says so; it is asked at least ten times a second.
std::string answer_in_child(const std::string& request, const std::function<bool()>& is_over);

/// The child: reads a request from standard input and writes the answer to standard output. It cannot open files.
ExitCode run_serve_worker();

}  // namespace lockstep::cli
