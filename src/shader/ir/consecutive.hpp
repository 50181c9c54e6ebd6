#pragma once

#include <vector>

#include "shader/ir/ir.hpp"

namespace lockstep::spirv {

/// By register: whether it holds base + lane in every lane, active or not, for one base.
/// linear: whether invocation n is lane n % size.
std::vector<bool> find_consecutive(const Ir& ir, bool linear);

}  // namespace lockstep::spirv
