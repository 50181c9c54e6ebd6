#pragma once

#include <memory>

#include "spirv/program.hpp"

namespace lockstep::spirv {

/// The place of a built-in component that nobody reads.
inline constexpr std::uint32_t nowhere = ~0u;

/// Makes the program for subgroups of `size`. Throws Error for an operation that no function does.
std::unique_ptr<Program> assemble(Ir ir, int size, bool tangled);

}  // namespace lockstep::spirv
