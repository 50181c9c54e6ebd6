#pragma once

#include <lockstep/exec/checks.hpp>

#include "shader/ir/ir.hpp"

namespace lockstep::spirv {

/// Removes what the rules do not need: expectations of other rules, and declarations of variables. Adds the comparison
/// of lanes to those that a value is the same in all of them.
void choose_expectations(Ir& ir, Checks rules);

}  // namespace lockstep::spirv
