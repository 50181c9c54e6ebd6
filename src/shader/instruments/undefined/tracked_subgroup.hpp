#pragma once

#include "shader/instruments/undefined/shadows.hpp"

namespace lockstep::spirv {

/// Undefined values in subgroup operations: they travel between lanes as values do, and begin in lanes to which an operation
/// gives nothing defined.
class TrackedSubgroup {
 public:
  explicit TrackedSubgroup(Shadows& shadows) : shadows_(shadows) {}

  void track(Op&& op);

 private:
  /// The shadow of the result where it is defined for the operation itself.
  Reg moved(const Op& op);
  Reg in_any_lane(Reg shadow);
  /// One lane with a defined value can decide a vote.
  Reg of_vote(const Op& op);
  /// The same operation moves shadows; the greatest is the result of a reduction.
  Reg passed_on(const Op& op);
  /// Adds the lanes to which the operation itself gives nothing defined.
  Reg begun_between_lanes(const Op& op, Reg taken);

  Shadows& shadows_;
};

}  // namespace lockstep::spirv
