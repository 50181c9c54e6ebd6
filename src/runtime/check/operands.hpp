#pragma once

#include <lockstep/exec/checks.hpp>

#include "runtime/check/detector.hpp"

namespace lockstep::detectors {

/// Examines operands of subgroup built-ins: those that must agree over lanes, and sizes and numbers. It also hints at
/// ballots of which the built-in does not do what the author may think, by notes of rules that others examine.
///
/// Requires      One dispatch.
/// Active lanes  Those of each tangle.
/// Errors        None.
/// Cost          A look at the operands of the built-ins concerned.
/// Spec          SPIR-V OpGroupNonUniform...: "must be dynamically uniform", ClusterSize
/// Example       tests/check/operands.cpp
class Operands : public Detector {
 public:
  static constexpr Checks rules{Check::broadcast_not_uniform,
                                Check::inverse_ballot_not_uniform,
                                Check::rotate_not_uniform,
                                Check::cluster_size,
                                Check::quad_index,
                                Check::quad_size};

  Operands(Checks checks, int subgroup_size) : checks_(checks), size_(subgroup_size) {}

  void on(const Event& event) override;
  Interest interest() const override { return {{Event::Kind::built_in}, false, false}; }
  void end(FaultLog& findings) override { findings.merge(found_); }

 private:
  void agree(Check check, const Event& event, const LaneValues& operand, LaneSet lanes,
             std::string_view what, std::string_view instead);
  void examine_cluster(const Event& event, const LaneValues& size, LaneSet lanes);
  void examine_quad(const Event& event, LaneSet lanes);
  /// Bits that no ballot of the subgroup has.
  void examine_bits(const Event& event, const LaneValues& ballots, LaneSet lanes);
  /// Ballots that are a partition only without the bits of lanes that are not active.
  void examine_partition(const Event& event, const LaneValues& ballots, LaneSet lanes);
  void hint(Check check, const Event& event, LaneSet lanes, std::string message);
  void report(Check check, const Event& event, LaneSet lanes, std::string message,
              Severity severity = Severity::error);

  Checks checks_;
  int size_;
  FaultLog found_;
};

}  // namespace lockstep::detectors
