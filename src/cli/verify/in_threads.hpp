#pragma once

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <functional>
#include <string_view>

/// \file
/// Much that is done at once, with progress, until Ctrl-C.

namespace lockstep::cli {

/// While it exists, Ctrl-C sets `interrupted`, and so do SIGTERM and SIGHUP, unless they are ignored.
class InterruptHandler {
 public:
  InterruptHandler();
  ~InterruptHandler();
  InterruptHandler(const InterruptHandler&) = delete;
  InterruptHandler& operator=(const InterruptHandler&) = delete;

  static const std::atomic<bool>& interrupted();

 private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
  std::array<void (*)(int), signals.size()> before_{};
};

/// Every `step`th number from `first` on, below `end`.
struct EveryNth {
  std::size_t first = 0, step = 1, end = 0;
};

/// Does the work for each of the numbers, in so many threads (0: one for each processor), with a line of progress if standard
/// error is a terminal. Returns how many were done before Ctrl-C, which ends it.
///
/// Requires      An InterruptHandler exists; the work throws nothing.
/// Active lanes  None.
/// Errors        None.
/// Cost          The work.
/// Spec          None.
/// Example       src/cli/verify/all.cpp
std::size_t in_threads(const EveryNth& numbers, int threads, std::string_view what,
                       const std::function<void(std::size_t)>& work);

}  // namespace lockstep::cli
