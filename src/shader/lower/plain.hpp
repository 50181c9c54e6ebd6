#pragma once

#include <cstddef>

#include "shader/lower/lower.hpp"
#include "shader/lower/opcode_table.hpp"

/// \file
/// Instructions that are an operation in each component: the column `instructions` of ir/operations.def.hpp.

namespace lockstep::spirv {

/// Adds the instructions of SPIR-V.
void add_plain(OpcodeTable& table);

/// Lowers an instruction of GLSL.std.450 if it is one of them; false for others.
bool lower_plain_glsl(Lowering& l, const Instruction& i);

}  // namespace lockstep::spirv
