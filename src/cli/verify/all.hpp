#pragma once

#include <cstddef>
#include <vector>

#include "cli/verify/entries.hpp"
#include "cli/verify/one.hpp"

/// \file
/// The verification of many subjects at once.

namespace lockstep::cli {

/// The results for all subjects, in their order.
struct AllVerified {
  std::vector<Verified> list;
  std::size_t done = 0;  ///< subjects that were verified before Ctrl-C
  bool interrupted = false;
  bool reports = true;  ///< false in all ranks of mpirun but the first, whose lists are empty
};

/// Verifies subjects in several threads, with progress, and together with the other ranks under mpirun. Ctrl-C ends it.
///
/// Requires      Main thread.
/// Active lanes  None.
/// Errors        UsageError if no temporary folder can be made; Error if a rank is lost.
/// Cost          A few processes for each subject.
/// Spec          None.
/// Example       tests/cli/verify.cpp
AllVerified verify_all(const std::vector<Subject>& subjects, const VerifyOptions& options);

}  // namespace lockstep::cli
