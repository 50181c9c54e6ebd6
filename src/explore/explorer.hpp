#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/exec/chooser.hpp>
#include <lockstep/exec/event.hpp>

#include "explore/dimension.hpp"
#include "explore/setting.hpp"

/// \file
/// Runs something under everything that a conforming implementation may do, and says what its result depends on.

namespace lockstep::explore {

/// What one run gave.
struct Result {
  std::vector<std::vector<std::byte>> buffers;
  std::string error;  ///< the message with which it ended early; empty if it did not
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
  Setting setting;
  std::vector<std::uint32_t> answers;        ///< all that its chooser gave
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
  std::uint64_t most_runs = 2000;
  std::chrono::duration<double> most_time = std::chrono::hours(1);
  int threads = 0;              ///< 0: all of the machine
  std::vector<bool> unordered;  ///< by buffer: only which words it holds counts, not where they are
  /// Is told the runs so far; exploring ends when it says false.
  std::function<bool(std::uint64_t runs)> progress = nullptr;
};

/// What was found out.
struct Verdict {
  std::uint64_t runs = 0;
  Dimensions exhausted;  ///< tried to the end
  Dimensions on;         ///< each alone changes the result
  std::optional<Counterexample>
      smallest;  ///< with the fewest choices that differ; none: the result was always the same
  Result first;
  /// By buffer: runs differed, but only in the order of its words.
  std::vector<bool> only_order;

  bool independent() const { return !smallest.has_value(); }
};

/// Explores one dimension after another, then random settings in all of them, until the budget is used or everything
/// is tried. The verdict is the same for any number of threads unless time ends it.
///
/// Requires      The subject's runs depend on nothing but their arguments.
/// Active lanes  None.
/// Errors        Passes on exceptions of the subject that are no Error.
/// Cost          Up to most_runs runs.
/// Spec          SPIR-V 2.2.5, Vulkan "Compute Shaders": what is implementation-defined
/// Example       tests/explore/explorer.cpp
Verdict explore(const Subject& subject, const Request& request);

/// Whether two buffers hold the same 32-bit words, in whatever order.
bool same_words(const std::vector<std::byte>& a, const std::vector<std::byte>& b);

}  // namespace lockstep::explore
