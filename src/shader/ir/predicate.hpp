#pragma once

#include "shader/ir/ir.hpp"

/// \file
/// Predication of short selections: all lanes execute both sides, and each variable takes the value of its lane's
/// side.

namespace lockstep::spirv {

/// Replaces selections whose condition differs between lanes and whose sides are a few operations
/// without effects. Requires that uniform registers are marked; new registers are not. Returns whether there were
/// any.
bool predicate_selections(Ir& ir);

}  // namespace lockstep::spirv
