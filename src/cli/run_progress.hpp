#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include <lockstep/dispatch/parallel.hpp>

#include "cli/long_run.hpp"

namespace lockstep::cli {

/// "[####......]", of which this part is full.
std::string progress_bar(double part);
/// Part of a run in one line: bar, workgroups or other things, rate and time left.
std::string progress_line(std::size_t done, std::size_t total, std::chrono::duration<double> time,
                          std::size_t columns, std::string_view things = "workgroups");
/// Of the terminal at standard error.
std::size_t columns_of_terminal();

/// The progress of a dispatch. If standard error is a terminal, a run of more than half a second shows it in one line,
/// which is gone afterwards. After 10 seconds a loop that has run for long is told. Ctrl-C ends the program with
/// exit_interrupted and says how far the run came, and in which loop it is.
///
/// Requires      One at a time; main thread.
/// Active lanes  None.
/// Errors        None.
/// Cost          A thread that waits.
/// Spec          None.
/// Example       src/cli/run/shader.cpp
class RunProgress : public Progress {
 public:
  /// json: an interruption is an object on standard output, too.
  RunProgress(std::size_t total, bool json);
  ~RunProgress() override;
  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;

  void on(std::size_t done, std::size_t total) override;

 private:
  std::chrono::duration<double> time() const { return std::chrono::steady_clock::now() - start_; }
  void clear_line();
  [[noreturn]] void interrupted();

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), drawn_ = start_;
  std::size_t total_;
  bool json_, terminal_;
  std::atomic<bool> visible_ = false;
  std::atomic<std::size_t> done_ = 0;
  LongRun long_run_;  ///< last: its thread uses the others
};

}  // namespace lockstep::cli
