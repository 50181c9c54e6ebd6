#pragma once

#include <vector>

#include "shader/ir/ir.hpp"

namespace lockstep::spirv {

/// Which resources a shader may write, by number: all of them if it writes where an address leads.
std::vector<bool> written_resources(const Ir& ir);

}  // namespace lockstep::spirv
