#pragma once

#include <string>
#include <vector>

#include "cli/explore/report.hpp"
#include "explore/explorer.hpp"

namespace lockstep::cli {

/// Runs the counterexample and the first setting once more, and writes their traces side by side to the file of --trace:
/// all subgroups of the first workgroup in which they differ. Returns in words where they do. Throws UsageError, and
/// what writing throws.
std::string write_counterexample(const ExploreOptions& options,
                                 const std::vector<BoundBuffer>& buffers,
                                 const explore::Subject& subject, const explore::Setting& first,
                                 const explore::Counterexample& found);

}  // namespace lockstep::cli
