#pragma once

#include <optional>
#include <vector>

#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/event.hpp>
#include <lockstep/exec/fault_log.hpp>
#include <lockstep/exec/finding_error.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>

namespace lockstep {
/// Examines one dispatch by its events.
///
/// Requires      An observer of a dispatch whose workgroups run one after another: every one with an observer.
/// Active lanes  The lanes of the events.
/// Errors        None.
/// Cost          That of the rules, besides the events.
/// Spec          None.
/// Example       tests/check/checker.cpp
class Checker : public Observer {
 public:
  Checker(Checks checks, int subgroup_size);
  ~Checker() override;

  /// The rules that need a Checker. The others are found without one.
  static Checks rules();
  /// Whether one of them is in the set.
  static bool needed_for(Checks checks) { return checks.any_of(rules()); }

  void on(const Event& event) override;
  Interest interest() const override { return interest_; }
  /// What was found, once the dispatch has ended.
  FaultLog take();

 private:
  /// A detector, and the events that it looks at. Not here: <memory> was a fifth of the lines of lockstep.hpp.
  struct Member;

  std::vector<Member> detectors_;
  Interest interest_ = Interest::none();
};

/// The convergence of a checked dispatch: as given, and a Checker that observes it if the rules need one.
///
/// Requires      `given` outlives it; null: maximal reconvergence.
/// Active lanes  None.
/// Errors        None.
/// Cost          None if no Checker is needed.
/// Spec          None.
/// Example       tests/check/checker.cpp
class CheckedConvergence {
 public:
  CheckedConvergence(Checks checks, int subgroup_size, const Convergence* given);
  CheckedConvergence(const CheckedConvergence&) = delete;
  CheckedConvergence& operator=(const CheckedConvergence&) = delete;

  /// Null if nothing was given and no Checker is needed.
  const Convergence* get() const { return checker_ ? &convergence_ : given_; }
  /// Adds what was found to the findings of the dispatch.
  void add_to(FaultLog& findings);
  /// The same for a finding that ended the dispatch.
  void add_to(FindingError& error);

 private:
  const Convergence* given_;
  Convergence convergence_;
  std::optional<Checker> checker_;
};

}  // namespace lockstep
