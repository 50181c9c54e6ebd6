#pragma once

#include <cstddef>

namespace lockstep {

class FaultLog;

/// Receives the progress of a run: after each finished part, from one thread at a time.
///
/// Requires      Lives as long as the run.
/// Active lanes  None.
/// Errors        What it throws ends the run and reaches the caller.
/// Cost          Some hundred calls per run, and for slow runs one for each part of about 50 ms.
/// Spec          None.
/// Example       tests/dispatch/parallel.cpp
class Progress {
 public:
  virtual ~Progress() = default;
  /// `done` increases from call to call, up to `total`.
  virtual void on(std::size_t done, std::size_t total) = 0;
};

/// How many threads may run at once: as many as the machine has, or as this process may use.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None; at least 1.
/// Cost          A system call the first time.
/// Spec          None.
/// Example       tests/dispatch/parallel.cpp
int available_threads();

/// Calls body(context, begin, end) in parallel on ranges that together are exactly [0, count).
///
/// Requires      body may run on several threads at once. threads is the maximum; 0 means all
///               available ones; 1 runs in this thread, in order: one call, or many if progress is
///               reported.
/// Active lanes  None.
/// Errors        The exception of the lowest range that throws one is rethrown here, after all lower ranges have run,
///               so that it does not depend on the threads. One from the progress callback ends the run.
/// Cost          A few microseconds to distribute the ranges.
/// Spec          None.
/// Example       tests/dispatch/parallel.cpp
void parallel_ranges(std::size_t count, int threads, void (*body)(void*, std::size_t, std::size_t),
                     void* context, Progress* progress = nullptr);
/// The same for a body that finds faults: all of them, in the order of the ranges.
FaultLog parallel_ranges(std::size_t count, int threads,
                         FaultLog (*body)(void*, std::size_t, std::size_t), void* context,
                         Progress* progress = nullptr);

}  // namespace lockstep
