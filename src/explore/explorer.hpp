#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lockstep/exec/chooser.hpp>
#include <lockstep/exec/event.hpp>
#include <lockstep/exec/fault_log.hpp>
#include <lockstep/exec/source_location.hpp>

#include "explore/dimension.hpp"
#include "explore/ranks.hpp"
#include "explore/setting.hpp"

/// \file
/// Runs something under everything that a conforming implementation may do, and says what its result depends on.

namespace lockstep::explore {

/// What one run gave.
struct Result {
  std::vector<std::vector<std::byte>> buffers;
  std::string error;            ///< the message with which it ended early; empty if it did not
  std::uint64_t steps = 0;      ///< iterations of its loops
  FaultLog findings = {};       ///< accesses outside memory
  SourceLocation endless = {};  ///< the loop that did not end, if that is the error
};

/// What is explored: runs once under a setting, from the same input each time. Calls come from several threads at
/// once, each with a chooser of its own. An Error of the run is its result.
using Subject = std::function<Result(const Setting&, Chooser&, Observer*)>;

/// Where two results differ first.
struct Difference {
  std::size_t buffer = 0;  ///< ignored where one of them ended early
  std::uint64_t byte = 0;
  std::string error;        ///< of the run that ended early; empty if none did
  bool only_order = false;  ///< the buffer holds the same words, in another order
};

/// A setting whose result differs from the first run's.
struct Counterexample {
  Setting setting;                           ///< with all answers that its chooser gave
  std::vector<Chooser::Question> questions;  ///< that they answer
  Dimensions on;                             ///< in which it differs from the first setting
  Difference difference;
  Result result;
};

struct Request {
  Setting first;  ///< the run that all others are compared with
  Dimensions vary = Dimensions::all();
  std::vector<int> sizes;  ///< of subgroups that are tried
  bool quads = false;      ///< whether invocations may be mapped in blocks of 2x2
  std::uint64_t workgroups = ~std::uint64_t{0};  ///< of each run
  /// Whether subgroups of a size need not be full.
  std::function<bool(int size)> may_be_partial = [](int) { return true; };
  std::uint64_t most_runs = 2000;
  std::chrono::duration<double> most_time = std::chrono::hours(1);
  int threads = 0;              ///< 0: all of the machine
  std::vector<bool> unordered;  ///< by buffer: only which words it holds counts, not where they are
  /// Of a buffer with other bytes than the first run's: where the first number starts that differs by more than a device's
  /// rounding allows; nothing if none does. Null: by its bits. Called by several threads at once.
  std::function<std::optional<std::uint64_t>(std::size_t buffer, std::span<const std::byte> now)>
      differs = nullptr;
  /// Is told the runs so far, first after one; exploring ends when it says false.
  std::function<bool(std::uint64_t runs)> progress = nullptr;
  /// Asked before each run, by several threads at once, unless there are ranks: whether to run no more.
  std::function<bool()> is_stopped = nullptr;
  /// Is told each counterexample that is smaller than those before.
  std::function<void(const Counterexample&)> found = nullptr;
  Ranks* ranks = nullptr;  ///< explore together; null: this process alone
};

/// What was found out.
struct Verdict {
  std::uint64_t runs = 0;
  Dimensions exhausted;     ///< tried to the end
  Dimensions on;            ///< each alone changes the result
  std::uint64_t seeds = 0;  ///< of the random settings in all dimensions: 1 to this
  std::optional<Counterexample>
      smallest;  ///< with the fewest choices that differ; none: the result was always the same
  Result first;
  /// By buffer: runs differed, but only in the order of its words.
  std::vector<bool> only_order;

  bool independent() const { return !smallest.has_value(); }
};

/// How many random sequences of answers are tried in each dimension of choices: those of the seeds from 1.
inline constexpr std::uint64_t random_sequences = 32;
/// How many random mappings and orders of workgroups.
inline constexpr std::uint64_t random_orders = 4;

/// The ways to fill subgroups in part that are tried.
std::vector<Mapping> fillings(const Mapping& first);

/// Explores one dimension after another, then random settings in all of them, until the budget is used or everything
/// is tried. The verdict is the same for any number of threads and ranks unless time ends it.
///
/// Requires      The subject's runs depend on nothing but their arguments.
/// Active lanes  None.
/// Errors        Passes on exceptions of the subject that are no Error.
/// Cost          Up to most_runs runs, and those that shrink the counterexample.
/// Spec          SPIR-V 2.2.5, Vulkan "Compute Shaders": what is implementation-defined
/// Example       tests/explore/explorer.cpp
Verdict explore(const Subject& subject, const Request& request);

}  // namespace lockstep::explore
