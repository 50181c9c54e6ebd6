#pragma once

#include "shader/ir/ir.hpp"

/// \file
/// Variables whose value all lanes know that read it.

namespace lockstep::spirv {

/// Makes what reads a variable read the value that was written to it last, where all lanes that read have executed that
/// write, and drops writes that no lane can read any more.
void forward_variables(Ir& ir);

}  // namespace lockstep::spirv
