#pragma once

#include <vector>

#include "shader/front/module.hpp"

/// \file
/// What an entry point uses of its module.

namespace lockstep::spirv {

/// For each id, whether an instruction of the function, or of one that it calls, may use it: another operand can have the
/// same number. Variables of other entry points may lie at the same bindings.
std::vector<bool> used_ids(const Module& module, Id function);

}  // namespace lockstep::spirv
