#pragma once

#include <memory>

#include "spirv/exec/program.hpp"
#include "spirv/ir/analyse.hpp"

namespace lockstep::spirv {

/// Makes the program for subgroups of `size`. Throws Error for an operation without a function.
std::unique_ptr<Program> assemble(Ir ir, int size, const AssembleOptions& options);

}  // namespace lockstep::spirv
