#pragma once

#include <vector>

#include "shader/ir/ir.hpp"

/// \file
/// Values that are computed more often than they change.

namespace lockstep::spirv {

/// Lets operations that would compute a value again use the first one, as in code that writes `i * width` twice.
/// `indexed`: by register, whether it is a component that a variable's index may choose.
void drop_repeated_values(Ir& ir, const std::vector<bool>& indexed);

/// Computes values that are the same in each iteration of a loop before it.
void hoist_invariant_values(Ir& ir, const std::vector<bool>& indexed);

}  // namespace lockstep::spirv
