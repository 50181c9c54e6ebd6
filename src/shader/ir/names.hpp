#pragma once

#include <string_view>

#include "shader/ir/ir.hpp"

/// \file
/// GLSL names of atomics, for events, and names of types, for errors. Those of built-ins are in their table
/// (built_ins.hpp).

namespace lockstep::spirv {

std::string_view name_of(Scalar s);

/// The function of an atomic operation.
const char* atomic_name(Operator op);

}  // namespace lockstep::spirv
