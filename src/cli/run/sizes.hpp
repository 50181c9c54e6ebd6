#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include <lockstep/spirv/module.hpp>

#include "cli/run_options.hpp"
#include "report/coverage.hpp"
#include "report/findings.hpp"

/// \file
/// One shader at several subgroup sizes.

namespace lockstep::cli {

/// The results of runs at several sizes.
struct SizesRun {
  std::optional<Module> module;  ///< compiled once
  lockstep::report::Coverage coverage;
  lockstep::report::Findings findings;                            ///< each place once
  nlohmann::ordered_json list = nlohmann::ordered_json::array();  ///< the outcome of each run

  void add(const lockstep::report::Findings& found);
};

/// Runs a shader at one size and reports the outcome, or adds it to `several`.
ExitCode run_once(const RunOptions& options, SizesRun* several = nullptr);
/// Runs it at each size of --subgroup-size. Throws UsageError for options that are for one run.
ExitCode run_at_sizes(const RunOptions& options);

}  // namespace lockstep::cli
