#pragma once

#include <vector>

#include "shader/ir/ir.hpp"

/// \file
/// Minima and maxima that the shader writes as choices.

namespace lockstep::spirv {

/// Makes choices between two integers by which is less, as `if (x > best) best = x` is once it is predicated, minima and
/// maxima. `indexed`: by register, whether it is a component that a variable's index may choose.
void find_extremes(Ir& ir, const std::vector<bool>& indexed);

}  // namespace lockstep::spirv
