#pragma once

#include "shader/ir/ir.hpp"

/// \file
/// Switches as selections, one for each case.

namespace lockstep::spirv {

/// Replaces switches whose cases do not fall through, and which lanes leave only where a case ends, by a selection for
/// each case. Machine code enters and leaves those without calls. The names of values are no longer where they were.
void select_cases(Ir& ir);

}  // namespace lockstep::spirv
