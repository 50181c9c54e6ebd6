#pragma once

#include "shader/ir/ir.hpp"

/// \file
/// Sums of floats that a shader adds by compare-and-swap.

namespace lockstep::spirv {

/// Replaces each loop that adds a float to memory by compare-and-swap, until that succeeds, by one atomic addition, whose
/// bounds are those of a sum in any order. Only where nothing else comes out of the loop, and only for runs that follow what
/// devices may give: a loop that ends after some tries is taken for one that succeeds.
void replace_swap_loops(Ir& ir);

}  // namespace lockstep::spirv
