#pragma once

#include "shader/ir/ir.hpp"

/// \file
/// Sums of floats that a shader adds by compare-and-swap.

namespace lockstep::spirv {

/// Replaces each loop that adds a float to memory by compare-and-swap with one atomic addition, whose bounds are those of a
/// sum in any order. Loops with any other result stay as they are. A loop that gives up after some tries is treated as one
/// that succeeds, so this is only for runs that compute what devices may give.
void replace_swap_loops(Ir& ir);

}  // namespace lockstep::spirv
