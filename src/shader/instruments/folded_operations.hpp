#pragma once

#include "shader/ir/ir.hpp"

/// \file
/// Operations whose operands are constants, all or one of them.

namespace lockstep::spirv {

/// Replaces operations on constants by their values, and operations that leave an integer as it is, as x * 1 does, by that integer.
void fold_operations(Ir& ir);

}  // namespace lockstep::spirv
