#pragma once

#include <string_view>

#include "spirv/ir/ir.hpp"

/// \file
/// GLSL names of operations, for events, and names of types, for errors.

namespace lockstep::spirv {

std::string_view name_of(Scalar s);

/// The built-in that an operation between lanes is; empty for another operation, and for reductions.
const char* built_in_name(Code code);
const char* reduction_name(Code code, Operator op);
/// The function that an atomic operation is.
const char* atomic_name(Operator op);

}  // namespace lockstep::spirv
