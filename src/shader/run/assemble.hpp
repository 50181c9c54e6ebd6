#pragma once

#include <memory>

#include "shader/instruments/analyse.hpp"
#include "shader/run/program.hpp"

namespace lockstep::spirv {

/// The lanes of the narrowest registers that hold a subgroup.
int register_width(int size);

/// Makes the program for subgroups of `size`. Throws Error for an operation without a function.
std::unique_ptr<Program> assemble(const Ir& lowered, int size, const AssembleOptions& options);

}  // namespace lockstep::spirv
