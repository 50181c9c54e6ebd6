#pragma once

#include "shader/ir/ir.hpp"

/// \file
/// Branches that constants decide, as in shaders with specialization constants for their variants.

namespace lockstep::spirv {

/// A copy without what no lane executes: sides and cases that a constant condition or selector excludes, and operations
/// after a jump. A selection or switch of which one side is left goes, too. Conditions may be what a call returns if all
/// its returns that are left return the same constant. The names of values, whose places are numbers of operations, stay
/// behind.
Ir with_live_branches(const Ir& ir);

}  // namespace lockstep::spirv
