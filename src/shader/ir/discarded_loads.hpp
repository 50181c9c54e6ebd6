#pragma once

#include "shader/ir/ir.hpp"

/// \file
/// Loads whose values are not needed in all lanes.

namespace lockstep::spirv {

/// Restricts loads to the lanes that need what they load: `i < n ? a[i] : 0` and `i < n && a[i] != 0` are computed without
/// branches, and a lane where i is n discards what it loads. In HLSL and WGSL such a load is allowed to be outside
/// memory.
void restrict_discarded_loads(Ir& ir);

}  // namespace lockstep::spirv
