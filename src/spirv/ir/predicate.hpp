#pragma once

#include "spirv/ir/ir.hpp"

/// \file
/// Short selections without control flow: both sides for all lanes, each variable given what the side of
/// its lane says, as GPUs do with predicates.

namespace lockstep::spirv {

/// Replaces selections whose condition differs between lanes and whose sides are a few operations
/// without effects. Asked on an IR whose uniform registers are known; new registers are not marked.
/// Returns whether there were any.
bool predicate_selections(Ir& ir);

}  // namespace lockstep::spirv
