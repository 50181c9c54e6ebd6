#pragma once

#include "shader/ir/ir.hpp"

/// \file
/// Undefined values in the IR: where they begin, how they travel, and where they become visible.

namespace lockstep::spirv {

/// Adds operations that compute, for each register that may be undefined, a shadow register: 0 in the lanes where its
/// value is defined, elsewhere the number of an origin in Ir::origins. Shadows travel as their values do: through
/// arithmetic, selections, variables, shared memory (a shadow resource beside it) and subgroup operations. Undefined
/// values are reported where they become visible: where they are stored to memory that others read, decide a branch,
/// select an address, take part in an atomic, or are an operand that must be the same in the whole tangle.
///
/// Only the given rules count: what breaks another one has some value, as without checks. With broadcast_not_uniform,
/// which is found elsewhere, a broadcast from lanes that differ gives something defined. What is never undefined has no
/// shadow, so a shader without a possible origin stays as it is.
void track_undefined(Ir& ir, Checks rules);

}  // namespace lockstep::spirv
