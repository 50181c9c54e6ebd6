#include "cli/explore/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "cli/command.hpp"
#include "cli/outcome_json.hpp"
#include "cli/run_progress.hpp"

namespace lockstep::cli {

void interrupt_exploring(int) { exploring_interrupted = true; }

ExploreProgress::ExploreProgress(const explore::Request& request, const RunOptions& options,
                                 bool draws)
    : most_runs_(request.most_runs),
      most_time_(request.most_time),
      draws_(draws && isatty(STDERR_FILENO) == 1),
      json_(options.json) {
  // Scripts fork their compilers, which a process with threads cannot.
  if (!is_amber(options.files.front())) {
    long_run_.emplace([this] { clear_line(); }, [this] { interrupt(); });
    return;
  }
  before_ = std::signal(SIGINT, interrupt_exploring);
  if (before_ == SIG_IGN) std::signal(SIGINT, SIG_IGN);
}

ExploreProgress::~ExploreProgress() {
  if (!long_run_) std::signal(SIGINT, before_);
  long_run_.reset();
  clear_line();
}

bool ExploreProgress::on(std::uint64_t runs) {
  runs_ = runs;
  if (draws_) {
    drawn_ = true;
    std::fputs(fmt::format("\r\x1b[K{}", line(runs)).c_str(), stderr);
  }
  return !exploring_interrupted;
}

std::string ExploreProgress::line(std::uint64_t runs) const {
  const Seconds time = std::chrono::steady_clock::now() - start_;
  if (most_runs_ != no_most_runs)
    return progress_line(runs, most_runs_, time, columns_of_terminal(), "runs");
  return fmt::format("{} {:.0f} of {:.0f} s, {} runs", progress_bar(time / most_time_),
                     time.count(), most_time_.count(), runs);
}

void ExploreProgress::clear_line() {
  if (drawn_.exchange(false)) std::fputs("\r\x1b[K", stderr);
}

void ExploreProgress::interrupt() {
  const std::uint64_t runs = runs_;
  if (!exploring_interrupted.exchange(true) && runs > 0) {
    tell_long_loops(std::chrono::seconds(1), [this] { clear_line(); });
    return;
  }
  const Seconds time = std::chrono::steady_clock::now() - start_;
  const std::string message =
      runs == 0 ? fmt::format("interrupted in the first run, after {}", duration_text(time.count()))
                : fmt::format("interrupted again after {} runs and {}; nothing was reported", runs,
                              duration_text(time.count()));
  end_long_run([this] { clear_line(); }, message,
               json_ ? failure_text(message, exit_interrupted) : std::string());
}

}  // namespace lockstep::cli
