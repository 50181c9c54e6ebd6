#pragma once

#include <span>

#include "support/walker/module.hpp"

/// \file
/// Instructions whose result depends on nothing but their operands' values.

namespace lockstep::walker {

/// The result of an instruction for the values of its operands; literals among them have empty values. Throws Error,
/// which names the opcode, for an instruction that the reference does not know.
///
/// Results that the specification leaves undefined are zero and say so.
Value arithmetic(const Module& module, const Instruction& instruction,
                 std::span<const Value> operands);

/// The result of an instruction of GLSL.std.450 without pointers. `number` is the instruction's.
Value glsl_function(const Module& module, std::uint32_t number, const Instruction& instruction,
                    std::span<const Value> operands);

}  // namespace lockstep::walker
