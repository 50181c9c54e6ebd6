#pragma once

#include "shader/instruments/bounds/allowed_control.hpp"
#include "shader/instruments/bounds/allowed_values.hpp"

namespace lockstep::spirv {

/// What is allowed for the results of subgroup operations.
class AllowedBetweenLanes {
 public:
  /// `ordered`: reductions add in the order of lanes.
  AllowedBetweenLanes(AllowedValues& allowed, const AllowedControl& control, bool ordered)
      : allowed_(allowed), control_(control), ordered_(ordered) {}

  /// Adds what stands before or after the operation, and keeps it.
  void track(Op&& op);

 private:
  Reg source_lanes(const Op& op);
  Reg lane_numbers();
  Reg lanes_undefined(const Op& op);

  AllowedValues& allowed_;
  const AllowedControl& control_;
  bool ordered_;
  Reg lane_ = no_reg;  ///< the lanes' numbers
};

}  // namespace lockstep::spirv
