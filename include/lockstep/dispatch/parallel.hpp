#pragma once

#include <cstddef>

namespace lockstep {

/// Is told how far a run is: after each part that is done, by one thread at a time.
///
/// Requires      Lives as long as the run.
/// Active lanes  None.
/// Errors        What it throws ends the run and reaches its caller.
/// Cost          Some hundred calls a run.
/// Spec          None.
/// Example       tests/dispatch/parallel.cpp
class Progress {
 public:
  virtual ~Progress() = default;
  /// `done` rises from call to call, up to `total`.
  virtual void on(std::size_t done, std::size_t total) = 0;
};

/// How many threads may run at once: the machine's, or as many as this process is allowed.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None; at least 1.
/// Cost          A question to the system the first time.
/// Spec          None.
/// Example       tests/dispatch/parallel.cpp
int available_threads();

/// Calls body(context, begin, end) on ranges that together are exactly [0, count), in parallel.
///
/// Requires      body may run on several threads at once. threads: at most that many; 0 for all
///               that are available; 1 for calls in this thread, in order: one call, or some hundred if
///               there is somebody to tell the progress.
/// Active lanes  None.
/// Errors        The first exception that a body or the progress throws comes out here, after the
///               others have stopped.
/// Cost          A few microseconds to hand out the ranges.
/// Spec          None.
/// Example       tests/dispatch/parallel.cpp
void parallel_ranges(std::size_t count, int threads, void (*body)(void*, std::size_t, std::size_t),
                     void* context, Progress* progress = nullptr);

}  // namespace lockstep
