#pragma once

#include <cstdint>
#include <vector>

#include <lockstep/spirv/work_counts.hpp>

#include "shader/run/program.hpp"

namespace lockstep::spirv {

/// What the counters of all threads say about the lines of a shader.
class WorkSum {
 public:
  /// Of a program with these counters: each counts for some lines.
  explicit WorkSum(const std::vector<std::vector<CountedLine>>& counters);

  /// Adds the counters of one thread.
  void add(std::uint64_t divergences, const std::vector<Count>& counts);
  /// The sums by line, of a dispatch of so many subgroups.
  WorkCounts take(std::uint64_t subgroups) const;

 private:
  const std::vector<std::vector<CountedLine>>& counters_;
  std::uint64_t divergences_ = 0;
  std::vector<Count> counts_;
};

}  // namespace lockstep::spirv
