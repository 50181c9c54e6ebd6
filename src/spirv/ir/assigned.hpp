#pragma once

#include <vector>

#include "spirv/ir/ir.hpp"

/// \file
/// Definite assignment of variables.

namespace lockstep::spirv {

/// By register: whether it is a variable of Ir::variables that a lane may read before it has written it. A variable
/// with a component behind an index always is.
std::vector<bool> find_unassigned(const Ir& ir);

}  // namespace lockstep::spirv
