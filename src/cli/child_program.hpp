#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace lockstep::cli {

/// The default of run_this_program.
inline constexpr std::atomic<bool> never_stop = false;

/// How a child process has ended.
struct ChildOutcome {
  int exit_code = 0;
  int signal = 0;          ///< that ended it; 0 if it ended itself
  bool timed_out = false;  ///< it was ended at the limit
  bool stopped = false;    ///< it was ended by `stop`
  std::string out, err;    ///< what it wrote
};

/// Runs this program with other arguments, in a process of its own that is ended after so many seconds, once `stop` is true,
/// and when the calling thread ends. In the first two cases it has a second to say where it is. Can be called by several
/// threads. The process is not a rank of mpirun. `relays`: the loops that it says it has been in for long are said at
/// standard error at once.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        UsageError if no process can be started.
/// Cost          A process; its output is kept in memory.
/// Spec          None.
/// Example       src/cli/survey/survey.cpp
ChildOutcome run_this_program(const std::vector<std::string>& words, double seconds,
                              const std::atomic<bool>& stop = never_stop, bool relays = false);

}  // namespace lockstep::cli
