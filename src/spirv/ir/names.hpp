#pragma once

#include <string_view>

#include "spirv/ir/ir.hpp"

/// \file
/// GLSL names of operations, for events, and names of types, for errors.

namespace lockstep::spirv {

std::string_view name_of(Scalar s);

/// The built-in of an operation between lanes; empty for other operations, and for reductions.
const char* built_in_name(Code code);
const char* reduction_name(Code code, Operator op);
/// The function of an atomic operation.
const char* atomic_name(Operator op);

}  // namespace lockstep::spirv
