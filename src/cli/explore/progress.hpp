#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/long_run.hpp"
#include "cli/run_options.hpp"
#include "explore/explorer.hpp"

namespace lockstep::cli {

/// Set by Ctrl-C: exploring ends, and what was found is printed.
inline std::atomic<bool> exploring_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);
void interrupt_exploring(int signal);

/// Request::most_runs where seconds are the budget.
inline constexpr std::uint64_t no_most_runs = ~std::uint64_t{0};

/// How far exploring is, in one line, on a terminal. Ctrl-C ends exploring after the runs that have begun. In the first
/// run, and the second time, it ends the program.
class ExploreProgress {
 public:
  ExploreProgress(const explore::Request& request, const RunOptions& options, bool draws);
  ~ExploreProgress();
  ExploreProgress(const ExploreProgress&) = delete;
  ExploreProgress& operator=(const ExploreProgress&) = delete;

  /// Whether to go on.
  bool on(std::uint64_t runs);

 private:
  std::string line(std::uint64_t runs) const;
  void clear_line();
  /// In the thread that waits for Ctrl-C.
  void interrupt();

  using Seconds = std::chrono::duration<double>;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::uint64_t most_runs_;
  Seconds most_time_;
  bool draws_, json_;
  void (*before_)(int) = SIG_DFL;
  std::atomic<bool> drawn_ = false;
  std::atomic<std::uint64_t> runs_ = 0;
  std::optional<LongRun> long_run_;  ///< last: its thread uses the others
};

}  // namespace lockstep::cli
