#pragma once

#include <cstdint>
#include <vector>

#include <lockstep/dispatch/mapping.hpp>

#include "shader/ir/ir.hpp"

/// \file
/// Which lanes run the invocations of quads that a module arranges itself.

namespace lockstep::spirv {

/// gl_LocalInvocationIndex of each lane of each subgroup: whole quads in the order of `mapping`, which fills subgroups
/// with quads as it otherwise does with invocations. Throws Error if the subgroup size is no multiple of four.
std::vector<std::uint32_t> lanes_in_quads(DerivativeGroup group, const Mapping& mapping,
                                          Size3 local_size, int subgroup_size);

}  // namespace lockstep::spirv
