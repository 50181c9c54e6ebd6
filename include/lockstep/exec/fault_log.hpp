#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include <lockstep/exec/finding.hpp>
#include <lockstep/exec/lenient.hpp>

namespace lockstep {

class Suppressions;

/// The findings of a run; those with the same rule, place, object and kind of access are merged.
///
/// Requires      None.
/// Active lanes  As Finding.
/// Errors        Without memory for another place, findings there are only counted.
/// Cost          No memory until there is a finding. The first most_kept places are kept; of others only
///               the number of findings.
/// Spec          None.
/// Example       tests/exec/fault_log.cpp
class FaultLog {
 public:
  static constexpr std::size_t most_kept = 256;

  FaultLog() = default;
  // Out of line, because each source with a kernel would compile them.
  FaultLog(const FaultLog&);
  FaultLog(FaultLog&&) noexcept;
  FaultLog& operator=(const FaultLog&);
  FaultLog& operator=(FaultLog&&) noexcept;
  ~FaultLog();

  /// Adds a finding. An empty message is filled in from its access.
  [[gnu::cold]] void record(const Finding& finding) noexcept;
  /// Appends the findings of another log.
  void merge(const FaultLog& later);
  /// Adds the findings of other workgroups of the same dispatch, in whatever order they ran:
  /// findings of lower workgroups come first.
  void merge_by_workgroup(const FaultLog& others) {
    if (others.count_ != 0) put_in_order(others);
    notes_.merge_by_workgroup(others.notes_);
  }
  /// Removes the findings that the source allows. What of other places is only counted stays.
  void remove_suppressed(const Suppressions& comments);
  /// The same, where all of it is in files.
  void remove_suppressed();
  /// Adds what a lenient run tolerated; it counts as no finding.
  void note(const LenientNotes& notes) { notes_.merge(notes); }

  /// How often something was found, each lane counted.
  std::uint64_t count() const { return count_; }
  /// The first finding. Requires count() > 0.
  const Finding& first() const { return findings_.front(); }
  /// The findings, at most the first most_kept.
  const std::vector<Finding>& findings() const { return findings_; }
  /// What a lenient run tolerated.
  const LenientNotes& notes() const { return notes_; }

 private:
  void put_in_order(const FaultLog& others);
  std::vector<Finding>::iterator like(const Finding& finding);

  std::uint64_t count_ = 0;
  std::vector<Finding> findings_;
  LenientNotes notes_;
};

/// A line for each finding that was kept, and one for the number of others; "no findings" if there are none.
std::string to_string(const FaultLog& log);
std::ostream& operator<<(std::ostream& to, const FaultLog& log);

}  // namespace lockstep
