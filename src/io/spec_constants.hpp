#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lockstep/spirv/reflection.hpp>
#include <lockstep/spirv/spec_constant.hpp>

#include "io/types.hpp"

namespace lockstep::io {

/// The element type of that number in a file; a bool is a uint32.
Dtype dtype_of(NumberType type);

/// The values of options ID=VALUE for the constants that a module declares. A VALUE is a number that the
/// constant's type holds exactly, rounded only for floats; for a bool also true or false.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        InputError that starts with --spec: malformed text, an id that the module lacks (it lists those
///               there are), a value that the type does not hold, or an id that is given twice.
/// Cost          None.
/// Spec          SPIR-V SpecId
/// Example       tests/io/spec_constants.cpp
std::map<std::uint32_t, SpecConstant> specialization(const std::vector<std::string>& options,
                                                     const std::vector<DeclaredConstant>& declared);

}  // namespace lockstep::io
