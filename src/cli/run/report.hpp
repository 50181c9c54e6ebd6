#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <lockstep/exec/finding_error.hpp>
#include <lockstep/spirv/shader_run.hpp>
#include <lockstep/workgroup/size3.hpp>

#include "cli/run/sizes.hpp"
#include "cli/run_options.hpp"
#include "cli/shader_case.hpp"
#include "judgement/judge.hpp"
#include "report/coverage.hpp"
#include "report/findings.hpp"
#include "report/statistics.hpp"

namespace lockstep::cli {

/// Prints what a buffer holds: its type, extremes and first numbers, or those of each member.
void print_summary(const BoundBuffer& buffer);
/// "lockstep: note: ..." on standard error.
void print_note(const std::string& text);
/// Writes findings to a file, and the code that never ran, if `coverage` is given.
void write_sarif(const lockstep::report::Findings& findings,
                 const lockstep::report::Coverage* coverage, const std::string& file);
/// Writes findings on standard error, and to the file of --sarif.
void write_findings(const lockstep::report::Findings& findings, const RunOptions& options,
                    const lockstep::report::Coverage* coverage = nullptr);

/// Reports the results of a run, as text or as JSON.
class Report {
 public:
  struct Sizes {
    Size3 groups, local_size;
    int subgroup_size;
  };

  /// With `several`, its outcome is added there instead of being printed as JSON.
  Report(const RunOptions& options, const Sizes& sizes, SizesRun* several = nullptr);

  /// Says how many invocations run if they are not those that --invocations names.
  void invocations();
  /// `coverage`: only of checked runs.
  void run(const ShaderRun& run, const lockstep::report::Coverage* coverage);
  /// The findings of a run; a part of run(), for runs that end with one.
  void findings(const lockstep::report::Findings& found,
                const lockstep::report::Coverage* coverage = nullptr);
  void buffers(const std::vector<BoundBuffer>& buffers);
  void comparison(const BoundBuffer& buffer, const judgement::Buffer& judged);
  /// Which other behaviour gives what --against compares with, and how many were tried.
  void behaviour(const judgement::Judgement& judgement);
  /// How an element came about.
  void explanation(const std::vector<std::string>& lines);
  void statistics(const lockstep::report::Statistics& stats);
  ExitCode finish();
  /// Instead of all of these: the run ended with a finding.
  ExitCode ended_by(const FindingError& error);

 private:
  void note(const std::string& text);

  const RunOptions& options_;
  Sizes sizes_;
  nlohmann::ordered_json json_;
  SizesRun* several_;
  bool failed_ = false;
};

}  // namespace lockstep::cli
