#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/verify/entries.hpp"

/// \file
/// The verification of one subject: its runs, its exploration and its captures.

namespace lockstep::cli {

/// The result for a subject, from best to worst.
enum class Standing : std::uint8_t {
  clean,
  depends,   ///< on what implementations may choose
  findings,  ///< errors found by checks
  wrong,     ///< results differ from the expected ones, or captured ones are not allowed
  failed,    ///< an expectation of a script failed, or every run ended with an error
  not_supported,
  not_compiled,
  not_run,
  timed_out,
  crashed,
};
std::string_view text_of(Standing standing);
/// The inverse. Requires such a text.
Standing standing_named(std::string_view text);

/// A subject with its results.
struct Verified {
  Subject subject;
  Standing standing = Standing::clean;
  std::vector<std::string> reasons;   ///< why it is not clean, a line each
  std::vector<std::string> notes;     ///< other remarks
  std::vector<std::string> commands;  ///< the commands that ran
  nlohmann::ordered_json runs;        ///< the JSON of `lockstep run` at each size
  nlohmann::ordered_json coverage;
  nlohmann::ordered_json findings = nlohmann::ordered_json::array();
  nlohmann::ordered_json exploration;  ///< the JSON of `lockstep explore`; null if it did not run
  nlohmann::ordered_json captures;     ///< the JSON of `lockstep check`; null without captures
  std::vector<int> sizes;              ///< at which it ran
  std::size_t compared = 0;            ///< the number of expected and captured results
  double seconds = 0;
  std::vector<nlohmann::ordered_json> logs;  ///< SARIF, if asked for

  void say(Standing worst, std::string reason);
};

/// Verifies a subject in processes of its own, so that a crash or a time-out is one of the results. A shader without main
/// has one result for each entry point. `logs`: the prefix of temporary files for SARIF; empty without.
std::vector<Verified> verify(const Subject& subject, const VerifyOptions& options,
                             const std::string& logs);

/// Runs a mutant of what was clean, and explores it and compares it with captured results, until something notices it; each
/// step within so many seconds.
Verified verify_mutant(const Verified& clean, std::size_t number, const VerifyOptions& options,
                       double seconds);

}  // namespace lockstep::cli
