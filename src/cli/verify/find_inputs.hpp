#pragma once

#include <vector>

#include "cli/verify/entries.hpp"

namespace lockstep::cli {

/// Replaces each shader that has no inputs by entries of the suite file of --find-inputs, with inputs that a search has found.
/// A shader that does not compile or run stays as it is.
///
/// Requires      Main thread.
/// Active lanes  None.
/// Errors        UsageError and InputError for a suite file that cannot be read or written.
/// Cost          A process for each shader, with up to --search-runs runs.
/// Spec          None.
/// Example       tests/cli/find_inputs.cpp
void find_inputs_for(std::vector<Subject>& subjects, const VerifyOptions& options);

}  // namespace lockstep::cli
