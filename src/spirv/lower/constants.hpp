#pragma once

#include "spirv/front/module.hpp"

/// \file
/// Constants of a module, also those that specialization sets.

namespace lockstep::spirv {

class Lowering;

/// Whether the instruction makes a constant, or an undefined value, outside functions.
bool is_constant(spv::Op op);
void lower_constant(Lowering& l, const Instruction& i);

}  // namespace lockstep::spirv
