#pragma once

#include <vector>

#include "shader/front/module.hpp"
#include "shader/front/types.hpp"
#include "shader/ir/ir.hpp"

/// \file
/// Constants of a module, also those that specialization sets.

namespace lockstep::spirv {

class Lowering;

/// Whether the instruction makes a constant, or an undefined value, outside functions.
bool is_constant(spv::Op op);
void lower_constant(Lowering& l, const Instruction& i);
/// An undefined value, in a function or outside.
void lower_undefined(Lowering& l, const Instruction& i);
/// The composite all of whose parts are the instruction's operand.
std::vector<Reg> replicated(Lowering& l, const Instruction& i, const Type& composite);

}  // namespace lockstep::spirv
