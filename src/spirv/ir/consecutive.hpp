#pragma once

#include <vector>

#include "spirv/ir/ir.hpp"

namespace lockstep::spirv {

/// By register: whether it holds base + lane in every lane, active or not, for one base.
std::vector<bool> find_consecutive(const Ir& ir);

}  // namespace lockstep::spirv
