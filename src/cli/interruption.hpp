#pragma once

#include <csignal>
#include <string>

namespace lockstep::cli {

/// While one exists, Ctrl-C ends the program with exit_interrupted after a message. The texts are made beforehand, so
/// that the signal handler only writes them. A SIGINT that is ignored stays ignored.
///
/// Requires      One at a time, and no RunProgress; main thread.
/// Active lanes  None.
/// Errors        None.
/// Cost          Two system calls.
/// Spec          POSIX "Signal Concepts"
/// Example       src/cli/run/shader.cpp
class Interruption {
 public:
  /// json: the message is an object on standard output, too.
  Interruption(const std::string& message, bool json);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

 private:
  struct sigaction before_ = {};
  bool installed_ = false;
};

}  // namespace lockstep::cli
