#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

/// \file
/// What a command says of dispatches that take long.

namespace lockstep::cli {

/// Says at standard error in which loops the dispatches of this process have been for long, once one of them answers
/// within the time; whether one did. Calls `clear` before.
bool tell_long_loops(std::chrono::milliseconds patience, const std::function<void()>& clear);

/// The last loop that a process has told in this way: "FILE:LINE: this loop has run ..."; empty if it told none.
std::string long_loop_in(std::string_view standard_error);

/// The same behind "; ", for the end of a message; empty if it told none.
std::string and_long_loop(std::string_view standard_error);

/// While one exists, loops that dispatches have been in for long are told after 10 seconds, and at each Ctrl-C a
/// function is called. A SIGINT that is ignored stays ignored.
///
/// Requires      One at a time, and no Interruption; main thread. The process forks no other while it exists.
/// Active lanes  None.
/// Errors        None.
/// Cost          A thread that waits.
/// Spec          POSIX "Signal Concepts"
/// Example       src/cli/run_progress.cpp
class LongRun {
 public:
  /// Both are called in the waiting thread: `clear` before something is written.
  LongRun(std::function<void()> clear, std::function<void()> interrupted);
  ~LongRun();
  LongRun(const LongRun&) = delete;
  LongRun& operator=(const LongRun&) = delete;

 private:
  void wait() const;

  std::function<void()> clear_, interrupted_;
  std::thread waiting_;
};

/// Says after Ctrl-C in which loops the run is, then the message, and ends the program with exit_interrupted.
/// json: the message is `object` on standard output, too.
[[noreturn]] void end_long_run(const std::function<void()>& clear, const std::string& message,
                               const std::string& object = {});

/// "3 s", "5 min" and so on.
std::string duration_text(double seconds);

}  // namespace lockstep::cli
