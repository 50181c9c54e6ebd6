#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/verify/one.hpp"

/// \file
/// Whether a user's tests notice faults that are planted in their shaders.

namespace lockstep::cli {

/// What has noticed a mutant first.
enum class Noticed : std::uint8_t {
  by_check,
  by_exploration,
  by_expected,  ///< an expected or captured result
  by_limit,     ///< it ran much longer than the shader does
  by_crash,
  not_at_all,
  never_ran,  ///< its line never runs on these inputs
  invalid,    ///< it cannot run, and does not count
};
std::string_view text_of(Noticed noticed);
/// Whether something has.
inline bool is_noticed(Noticed noticed) { return noticed < Noticed::not_at_all; }

/// A mutant of an entry's shader, with what became of it.
struct JudgedMutant {
  std::size_t number = 0;
  std::string kind, file, change;
  int line = 0;
  Noticed noticed = Noticed::not_at_all;
  std::string why;      ///< the first reason
  std::string command;  ///< that runs it
};

/// The mutants of an entry.
struct Mutated {
  std::vector<JudgedMutant> list;
  std::string why_none;  ///< empty if there are some
};

/// Runs the mutants of all entries that are clean, in several threads, with progress. Ctrl-C ends it: then some have not run, and
/// `InterruptHandler::interrupted` is true.
///
/// Requires      Main thread; the results of verify_all.
/// Active lanes  None.
/// Errors        UsageError if no process can be started.
/// Cost          A process or two for each mutant.
/// Spec          None.
/// Example       tests/cli/mutate.cpp
std::vector<Mutated> mutate_all(const std::vector<Verified>& all, const VerifyOptions& options);

}  // namespace lockstep::cli
