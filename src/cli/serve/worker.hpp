#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "cli/command.hpp"

namespace lockstep::cli {

/// Answers messages, each in a process of its own. One process waits for the next message, with the compiler ready.
///
/// Requires      SIGPIPE is ignored.
/// Active lanes  None.
/// Errors        In the answers.
/// Cost          A process that waits; a fork and exec for each run.
/// Spec          None.
/// Example       src/cli/serve/serve.cpp
class Workers {
 public:
  Workers();
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Answers a message with the limits of playground::limits on time, memory and the size of the answer, and returns the
  /// answer, or one that says what limit it has met. The child is killed, and there is no answer, once `is_over` says so;
  /// it is asked at least ten times a second. Can be called by several threads.
  std::string answer(const std::string& request, const std::function<bool()>& is_over);
  /// Starts the process that waits, unless there is one.
  void prepare();

 private:
  class Child;
  std::unique_ptr<Child> take();

  std::mutex mutex_;
  std::unique_ptr<Child> spare_;
};

/// The child: reads a request from standard input and writes the answer to standard output. It cannot open files,
/// but for a compiler of WGSL that it runs first.
ExitCode run_serve_worker();

}  // namespace lockstep::cli
