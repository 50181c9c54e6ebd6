#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Whether what a device left in the buffers of a captured job is something that Vulkan allows, for unit tests.

namespace lockstep::oracle {

/// Bytes by binding, in the job's order; empty for those that are not judged. Prints as "384 bytes in 2 buffers".
struct Outputs : std::vector<std::vector<std::byte>> {
  using std::vector<std::vector<std::byte>>::vector;
  Outputs(std::vector<std::vector<std::byte>> bytes)
      : std::vector<std::vector<std::byte>>(std::move(bytes)) {}
};
std::ostream& operator<<(std::ostream& out, const Outputs& outputs);

/// How many elements have which verdict; docs/reference/oracle.md says what these mean.
struct Judgement {
  std::size_t equal = 0, allowed = 0, unordered = 0, undefined = 0, racy = 0, open = 0, wrong = 0;
  /// The first wrong elements, a line each: what they are, what they may be, and which invocation wrote them.
  std::string text;

  /// Whether no element is wrong.
  bool is_allowed() const { return wrong == 0; }
};

/// A dispatch that `lockstep capture` or the Vulkan driver wrote, with what devices may give for it.
///
/// Requires      Copies are used by one thread at a time.
/// Active lanes  As in the shader, in the lanes of the device that it was captured on.
/// Errors        load throws std::runtime_error or Error for a folder that cannot be read or run.
/// Cost          Loading runs the shader some times; a copy costs as much as a pointer's.
/// Spec          None.
/// Example       tests/job/allowed.cpp
class Job {
 public:
  /// Reads a job that was captured.
  static Job load(const std::string& folder);

  /// The name of the job.
  const std::string& name() const;
  /// What the device left, as it was captured.
  const Outputs& outputs() const;

 private:
  friend Judgement judge(const Job& job, const Outputs& outputs);
  struct Parts;
  std::shared_ptr<Parts> parts_;
};

/// Judges outputs of the job, captured ones or others.
///
/// Requires      As many outputs as bindings.
/// Active lanes  None.
/// Errors        Throws Error for outputs of another number or size.
/// Cost          O(elements), and some runs of the shader if elements are wrong.
/// Spec          "Precision and Operation of SPIR-V Instructions" of the Vulkan specification.
/// Example       tests/job/allowed.cpp
Judgement judge(const Job& job, const Outputs& outputs);

}  // namespace lockstep::oracle

namespace lockstep {

/// A matcher of a job's outputs, for Catch2's CHECK_THAT and GoogleTest's EXPECT_THAT; made by IsAllowed.
///
/// Requires      One thread at a time uses a matcher: it remembers how the last outputs matched.
/// Active lanes  None.
/// Errors        As judge.
/// Cost          As judge.
/// Spec          None.
/// Example       tests/job/allowed.cpp
class AllowedMatcher {
 public:
  using is_gtest_matcher = void;
  explicit AllowedMatcher(oracle::Job job) : job_(std::move(job)) {}

  /// For Catch2.
  bool match(const oracle::Outputs& outputs) const;
  std::string toString() const;
  /// For GoogleTest.
  bool MatchAndExplain(const oracle::Outputs& outputs, std::ostream* explanation) const;
  void DescribeTo(std::ostream* to) const;
  void DescribeNegationTo(std::ostream* to) const;

 private:
  oracle::Job job_;
  mutable std::string last_;
};

/// `CHECK_THAT(outputs, IsAllowed(job))`: a failure names the first wrong elements.
inline AllowedMatcher IsAllowed(oracle::Job job) { return AllowedMatcher(std::move(job)); }

}  // namespace lockstep
