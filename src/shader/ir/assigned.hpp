#pragma once

#include <vector>

#include "shader/ir/ir.hpp"

/// \file
/// Definite assignment of variables.

namespace lockstep::spirv {

/// By register: whether it is a variable of Ir::variables that a lane may read before it has written it, as any indexed
/// variable may be.
std::vector<bool> find_unassigned(const Ir& ir);

}  // namespace lockstep::spirv
