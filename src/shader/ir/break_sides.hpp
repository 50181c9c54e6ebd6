#pragma once

#include <cstdint>
#include <vector>

#include "shader/ir/ir.hpp"

namespace lockstep::spirv {

/// The sides of a selection that do something and then break out of the innermost loop, which an implementation may
/// run when the loop is over.
enum BreakSides : std::uint8_t { first_side_breaks = 1, other_side_breaks = 2 };

/// Those of each construct. Sides with a workgroup barrier are not among them: all invocations would have to be there.
std::vector<std::uint8_t> find_break_sides(const Ir& ir);

}  // namespace lockstep::spirv
