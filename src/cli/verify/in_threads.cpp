#include "cli/verify/in_threads.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "cli/run_progress.hpp"

namespace lockstep::cli {
namespace {

/// Set by Ctrl-C, by the end of the terminal or of a batch job, and by mpirun when a rank is lost.
std::atomic<bool> interrupted_by_signal{false};
static_assert(std::atomic<bool>::is_always_lock_free);
extern "C" void on_verify_interrupt(int) { interrupted_by_signal = true; }

/// A line of progress, if standard error is a terminal.
class VerifyProgress {
 public:
  VerifyProgress(std::size_t all, std::string_view what) : all_(all), what_(what) {}
  ~VerifyProgress() {
    if (shows_) std::fputs("\r\033[K", stderr);
  }
  VerifyProgress(const VerifyProgress&) = delete;
  VerifyProgress& operator=(const VerifyProgress&) = delete;

  void add() {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (!shows_) return;
    const auto time = std::chrono::steady_clock::now() - started_;
    const auto line = progress_line(done_, all_, time, columns_of_terminal(), what_);
    std::fputs(fmt::format("\r{}\033[K", line).c_str(), stderr);
  }

 private:
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::size_t all_, done_ = 0;
  std::string what_;
  bool shows_ = isatty(STDERR_FILENO) == 1;
  std::mutex mutex_;
};

}  // namespace

InterruptHandler::InterruptHandler() {
  for (std::size_t k = 0; k < signals.size(); ++k) {
    before_[k] = std::signal(signals[k], on_verify_interrupt);
    if (before_[k] == SIG_IGN) std::signal(signals[k], SIG_IGN);
  }
}
InterruptHandler::~InterruptHandler() {
  for (std::size_t k = 0; k < signals.size(); ++k) std::signal(signals[k], before_[k]);
}
const std::atomic<bool>& InterruptHandler::interrupted() { return interrupted_by_signal; }

std::size_t in_threads(const EveryNth& numbers, int threads, std::string_view what,
                       const std::function<void(std::size_t)>& work) {
  const auto& [first, step, end] = numbers;
  if (first >= end) return 0;
  std::atomic<std::size_t> next = first, done = 0;
  VerifyProgress progress((end - first + step - 1) / step, what);
  const auto work_on = [&] {
    for (;;) {
      const std::size_t k = next.fetch_add(numbers.step);
      if (k >= numbers.end || interrupted_by_signal) return;
      work(k);
      if (interrupted_by_signal) return;
      ++done;
      progress.add();
    }
  };
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const auto count = threads > 0 ? static_cast<unsigned>(threads) : cores;
  std::vector<std::jthread> workers;
  for (unsigned k = 0; k < count; ++k) workers.emplace_back(work_on);
  workers.clear();
  return done;
}

}  // namespace lockstep::cli
