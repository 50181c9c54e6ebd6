#pragma once

#include <cstdint>
#include <vector>

#include <lockstep/spirv/work_counts.hpp>

#include "shader/run/program.hpp"

namespace lockstep::spirv {

/// What the counters of all threads say about the lines of a shader.
class WorkSum {
 public:
  /// Of a program whose counters count for some lines and branches.
  explicit WorkSum(const Program& program);

  /// Adds the counters of one thread.
  void add(std::uint64_t divergences, const std::vector<Count>& counts);
  /// The sums by line and branch, of a dispatch of so many subgroups.
  WorkCounts take(std::uint64_t subgroups) const;

 private:
  std::vector<LineCount> lines() const;
  std::vector<BranchCount> branches() const;

  const Program& program_;
  std::uint64_t divergences_ = 0;
  std::vector<Count> counts_;
};

}  // namespace lockstep::spirv
