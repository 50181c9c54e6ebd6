#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <lockstep/exec/finding.hpp>

namespace lockstep {

/// The findings of a run, those of one rule, place, object and kind of access as one.
///
/// Requires      None.
/// Active lanes  As Finding.
/// Errors        Where there is no memory left for a place it is only counted.
/// Cost          No memory until something is found; then 16 places are kept, and of others only how
///               often something was found.
/// Spec          None.
/// Example       tests/exec/fault_log.cpp
class FaultLog {
 public:
  static constexpr std::size_t most_kept = 16;

  /// Adds a finding. A message that is empty becomes what its access says.
  [[gnu::cold]] void record(const Finding& finding) noexcept;
  /// Adds what was found after this log's findings.
  void merge(const FaultLog& later);
  /// Adds what other workgroups of the same dispatch have found, in whatever order they ran: the findings
  /// of lower workgroups come first.
  void merge_by_workgroup(const FaultLog& others) {
    if (others.count_ != 0) put_in_order(others);
  }

  /// How often something was found, each lane counted.
  std::uint64_t count() const { return count_; }
  /// The first finding. Requires count() > 0.
  const Finding& first() const { return findings_.front(); }
  /// The findings, the first most_kept of them.
  const std::vector<Finding>& findings() const { return findings_; }

 private:
  void put_in_order(const FaultLog& others);
  std::vector<Finding>::iterator like(const Finding& finding);

  std::uint64_t count_ = 0;
  std::vector<Finding> findings_;
};

}  // namespace lockstep
