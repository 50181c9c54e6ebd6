#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/exec/fault_log.hpp>
#include <lockstep/exec/source_location.hpp>
#include <lockstep/spirv/work_counts.hpp>

namespace lockstep {

/// The places of a shader's code, whether it ran or not. Dead code has none.
struct CodePlaces {
  std::vector<SourceLocation> lines;     ///< each file and line once, as in line events
  std::vector<SourceLocation> branches;  ///< conditional branches, as in enter events
};

/// The result of a dispatch of a shader, besides what it wrote.
struct ShaderRun {
  std::uint64_t faults = 0;  ///< accesses outside memory: reads returned zero, writes were dropped
  FaultLog findings;         ///< where they were, and what a lenient run tolerated
  std::vector<std::string> printed;  ///< what debugPrintf printed, one entry a lane and call
  /// Iterations of loops, over all subgroups. A short loop may have become its iterations, which are none.
  std::uint64_t steps = 0;
  /// What its machine code was written for: avx512, avx2, calls (any x86-64), or "none (why)".
  std::string machine_code;
  std::optional<WorkCounts> work = {};    ///< where the dispatch counted it
  std::optional<CodePlaces> places = {};  ///< if the dispatch counted work or observed lines
};

}  // namespace lockstep
