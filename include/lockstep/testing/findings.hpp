#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/fault_log.hpp>

/// \file
/// Matchers of the findings of a run, for Catch2's CHECK_THAT and GoogleTest's EXPECT_THAT alike.

namespace lockstep {

/// A matcher of findings; made by HasNoFindings and HasFinding.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None.
/// Cost          None.
/// Spec          None.
/// Example       tests/testing/findings.cpp
class FindingsMatcher {
 public:
  using is_gtest_matcher = void;

  /// Without a rule: that there are no findings. Line 0: in any line.
  explicit FindingsMatcher(std::optional<Check> rule = {}, int line = 0)
      : rule_(rule), line_(line) {}

  /// For Catch2.
  bool match(const FaultLog& findings) const;
  std::string toString() const;
  /// For GoogleTest.
  bool MatchAndExplain(const FaultLog& findings, std::ostream*) const { return match(findings); }
  void DescribeTo(std::ostream* to) const;
  void DescribeNegationTo(std::ostream* to) const;

 private:
  std::optional<Check> rule_;
  int line_;
};

/// `CHECK_THAT(device.dispatch_checked<K>({4}, data), HasNoFindings())`: a failure prints the findings. The run keeps
/// them for its result with Faults::counted.
inline FindingsMatcher HasNoFindings() { return FindingsMatcher(); }
/// One of the findings breaks the rule, in that line of the kernel if one is given.
inline FindingsMatcher HasFinding(Check rule, int line = 0) { return FindingsMatcher(rule, line); }

}  // namespace lockstep
