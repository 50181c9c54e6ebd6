#pragma once

#include <memory>

#include "shader/instruments/analyse.hpp"
#include "shader/run/program.hpp"

namespace lockstep::spirv {

/// Makes the program for subgroups of `size`. Throws Error for an operation without a function.
std::unique_ptr<Program> assemble(Ir ir, int size, const AssembleOptions& options);

}  // namespace lockstep::spirv
