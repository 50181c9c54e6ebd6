#pragma once

#include <cstdint>

#include "shader/ir/ir.hpp"

/// \file
/// Variables of a module: buffers, shared memory, built-ins, and variables of an invocation.

namespace lockstep::spirv {

class Lowering;

/// A variable outside functions, of any storage class.
void lower_global_variable(Lowering& l, const Instruction& i);
/// A variable of each invocation, kept in registers.
void register_variable(Lowering& l, const Instruction& i, const Type& pointee);

/// The register of gl_SubgroupInvocationID.
Reg lane_number(Lowering& l);

/// Whether a variable or value is declared to be the same in all active lanes of a subgroup.
bool is_same_in_subgroup(Lowering& l, Id id);

/// The number of descriptors of a variable of that type.
std::uint64_t descriptors(Lowering& l, const Instruction& i, const Type& type);
/// Adds the resources of a variable's descriptors.
void add_resources(Lowering& l, const Instruction& i, ResourceUse use, std::uint64_t count);

}  // namespace lockstep::spirv
