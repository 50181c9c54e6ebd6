#pragma once

#include <string>

#include "shader/ir/ir.hpp"

namespace lockstep::spirv {

/// A component-wise operation, or one between lanes, as GLSL has it: "x * y", "sqrt(x)", "subgroupAdd(x)".
std::string operation_text(const Op& op);

}  // namespace lockstep::spirv
