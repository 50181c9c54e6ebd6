#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shader/front/module.hpp"
#include "shader/ir/ir.hpp"

/// \file
/// Derivatives: differences between the invocations of a quad, which an execution mode of the module arranges.

namespace lockstep::spirv {

class Lowering;

/// The directions of a quad, with the numbers that quad swaps have.
enum class Axis : std::uint8_t { x, y };

/// Takes over which invocations are a quad. Throws Error if the workgroup has no whole quads.
void find_derivative_group(Lowering& l, Id entry);
/// How much each value grows from one invocation of a quad to the next: from this lane's own row or column.
std::vector<Reg> derivatives(Lowering& l, std::span<const Reg> values, Axis axis,
                             const Instruction& i);

}  // namespace lockstep::spirv
