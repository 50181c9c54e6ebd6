#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "amber/junit.hpp"
#include "amber/runner.hpp"
#include "cli/amber_files.hpp"
#include "cli/interruption.hpp"
#include "cli/run/report.hpp"
#include "cli/run_options.hpp"
#include "io/error.hpp"
#include "io/files.hpp"
#include "io/npy.hpp"
#include "report/findings.hpp"

namespace lockstep::cli {
namespace {

using amber::Outcome;
using amber::Verdict;

lockstep::report::Findings findings_of(const Outcome& outcome) {
  lockstep::report::Findings findings;
  findings.add(outcome.findings);
  return findings;
}

Outcome run_file(const std::string& path, const RunOptions& options) {
  RunConvergence convergence(options);
  amber::RunSettings settings;
  settings.profile = profile_of(options);
  settings.threads = options.threads;
  settings.max_steps = options.max_steps;
  settings.lenient = lenient_of(options);
  settings.checks = checks_of(options);
  settings.convergence = convergence.get();
  settings.limits = CompileLimits{};
  try {
    Outcome outcome =
        amber::run_text(path, lockstep::io::read_text(path), settings, files_beside(path));
    if (outcome.verdict == Verdict::passed && findings_of(outcome).any_error()) {
      outcome.verdict = Verdict::failed;
      outcome.message = fmt::format("{}: the checks found errors", path);
    }
    return outcome;
  } catch (const lockstep::io::InputError& error) {
    return {path, Verdict::error, error.what(), {}, 0, {}};
  }
}

std::size_t count(const std::vector<Outcome>& outcomes, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count(outcomes, verdict, &Outcome::verdict));
}

ExitCode exit_code_of(const std::vector<Outcome>& outcomes) {
  if (count(outcomes, Verdict::failed) > 0) return exit_failed;
  if (count(outcomes, Verdict::error) > 0) return exit_usage;
  return count(outcomes, Verdict::skipped) == outcomes.size() ? exit_skipped : exit_fine;
}

void print_table(const std::vector<Outcome>& outcomes) {
  std::size_t width = 0;
  for (const Outcome& outcome : outcomes) width = std::max(width, outcome.path.size());
  for (const Outcome& outcome : outcomes) {
    for (const std::string& note : outcome.notes) fmt::print("{}\n", note);
    fmt::print("{:5}  {:{}}  {:8.3f} s\n", to_string(outcome.verdict), outcome.path, width,
               outcome.seconds);
    if (!outcome.message.empty()) fmt::print("       {}\n", first_line(outcome.message));
  }
  if (outcomes.size() > 1)
    fmt::print("{} passed, {} failed, {} skipped, {} in error\n", count(outcomes, Verdict::passed),
               count(outcomes, Verdict::failed), count(outcomes, Verdict::skipped),
               count(outcomes, Verdict::error));
}

void print_json(const std::vector<Outcome>& outcomes, const std::vector<int>& sizes) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  const std::size_t files = sizes.empty() ? outcomes.size() : outcomes.size() / sizes.size();
  for (const Outcome& outcome : outcomes) {
    nlohmann::ordered_json one{{"file", outcome.path},
                               {"verdict", to_string(outcome.verdict)},
                               {"message", outcome.message},
                               {"notes", outcome.notes},
                               {"findings", lockstep::report::to_json(findings_of(outcome))},
                               {"seconds", outcome.seconds}};
    if (!sizes.empty()) one["subgroup_size"] = sizes[list.size() / files];
    list.push_back(std::move(one));
  }
  fmt::print("{}\n", list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

/// Appends the size to each name if there are several.
std::vector<Outcome> named(std::vector<Outcome> outcomes, const std::vector<int>& sizes) {
  const std::size_t files = outcomes.size() / std::max<std::size_t>(sizes.size(), 1);
  for (std::size_t k = 0; k < outcomes.size() && sizes.size() > 1; ++k)
    outcomes[k].path += fmt::format(" at {}", sizes[k / files]);
  return outcomes;
}

/// Runs all files at one size.
void run_files(const RunOptions& options, std::vector<Outcome>& outcomes) {
  const std::size_t all =
      options.files.size() * std::max<std::size_t>(options.subgroup_sizes.size(), 1);
  for (const std::string& file : options.files) {
    const Interruption interruption(
        fmt::format("interrupted after {} of {} scripts, in {}", outcomes.size(), all, file),
        options.json);
    outcomes.push_back(run_file(file, options));
  }
}

}  // namespace

ExitCode run_amber(const RunOptions& options) {
  if (!options.junit.empty()) npy::check_writable(options.junit);
  if (!options.sarif.empty()) npy::check_writable(options.sarif);
  profile_of(options);  // rejected before anything runs
  checks_of(options);
  std::vector<Outcome> outcomes;
  const std::vector<int>& sizes = options.subgroup_sizes;
  if (sizes.size() <= 1) run_files(options, outcomes);
  for (std::size_t k = 0; k < sizes.size() && sizes.size() > 1; ++k) {
    RunOptions one = options;
    one.subgroup_size = sizes[k];
    run_files(one, outcomes);
  }
  if (!options.junit.empty())
    lockstep::io::write_text(options.junit, amber::junit(named(outcomes, sizes)));
  lockstep::report::Findings findings;
  for (const Outcome& outcome : outcomes) findings.add(outcome.findings);
  write_findings(findings, options);
  // A single script that cannot be read is a usage error like any other.
  if (outcomes.size() == 1 && outcomes.front().verdict == Verdict::error && !options.json)
    throw UsageError(first_line(outcomes.front().message));
  if (options.json)
    print_json(outcomes, sizes);
  else
    print_table(named(outcomes, sizes));
  return exit_code_of(outcomes);
}

}  // namespace lockstep::cli
