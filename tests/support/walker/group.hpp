#pragma once

#include <span>
#include <vector>

#include "support/walker/module.hpp"

/// \file
/// Operations between the invocations of a subgroup.

namespace lockstep::walker {

/// An invocation that takes part in an operation.
struct Participant {
  int lane = 0;                 ///< gl_SubgroupInvocationID
  std::vector<Value> operands;  ///< those of the instruction; literals and the scope are empty
};

/// Whether it is an operation between invocations of a subgroup.
bool is_group_operation(spv::Op op);

/// The result of each participant, in their order, which is that of their lanes.
std::vector<Value> group_operation(const Module& module, const Instruction& instruction,
                                   int subgroup_size, std::span<const Participant> participants);

}  // namespace lockstep::walker
