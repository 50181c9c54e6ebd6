#pragma once

#include <cstdint>
#include <vector>

#include <lockstep/exec/source_location.hpp>

namespace lockstep {

/// How often a line ran, over all subgroups.
struct LineCount {
  SourceLocation where;
  std::uint64_t times = 0;  ///< once per subgroup that executes it
  std::uint64_t lanes = 0;  ///< of all executions
};

/// How many lanes found the condition of a branch to hold and not to, over all subgroups.
struct BranchCount {
  SourceLocation where;
  std::uint64_t holding = 0;
  std::uint64_t failing = 0;
};

/// The work of a dispatch under maximal reconvergence, counted while it runs.
///
/// Requires      Dispatch::count_work.
/// Active lanes  Each line counts those that execute it.
/// Errors        None.
/// Cost          A few instructions for each straight piece of the shader; no events are made.
/// Spec          None.
/// Example       tests/spirv/work_counts.cpp
struct WorkCounts {
  std::uint64_t subgroups = 0;
  std::uint64_t divergences = 0;      ///< branches that lanes took in different ways
  std::vector<LineCount> lines;       ///< those that ran, by file and line
  std::vector<BranchCount> branches;  ///< conditional branches, by file and line
};

}  // namespace lockstep
