#pragma once

#include <lockstep/exec/variable_observer.hpp>

#include "shader/ir/ir.hpp"

namespace lockstep::spirv {

/// Adds an operation after each write of a wanted variable, and after each value with a wanted name, by which
/// observers are told of it. The first of all passes: Ir::named_values has positions in Ir::ops. Throws
/// UnknownVariable for a name that nothing has.
void tell_variables(Ir& ir, const VariableNames& wanted);

}  // namespace lockstep::spirv
