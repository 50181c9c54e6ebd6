#pragma once

#include <cstddef>

#include <lockstep/exec/memory_order.hpp>

#include "shader/lower/lower.hpp"

namespace lockstep::spirv {

/// The scope that an operand names. Throws Error for one that SPIR-V does not have.
Scope scope_of(Lowering& l, const Instruction& i, std::size_t operand);
/// The order that two operands of an instruction name: the scope's id and that of the semantics.
MemoryOrder memory_order(Lowering& l, const Instruction& i, std::size_t scope,
                         std::size_t semantics);

}  // namespace lockstep::spirv
