#pragma once

#include "shader/ir/ir.hpp"

/// \file
/// Which values conforming devices may have where the reference has one.

namespace lockstep::spirv {

/// Adds operations that keep with each value what a device may have instead: bounds of floats, and what depends on a
/// rounding, on the order of atomics, or on nothing that is defined. The values themselves stay those of the reference.
/// Registers that are exact on every device get none. ordered: reductions of floats have the reference's order.
void track_bounds(Ir& ir, bool ordered);

}  // namespace lockstep::spirv
