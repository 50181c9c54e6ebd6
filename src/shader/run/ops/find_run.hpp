#pragma once

#include "shader/run/program.hpp"

namespace lockstep::spirv {

/// Loads and stores of 32-bit numbers at base + lane by subgroups of whole chunks; imm is their size.
Run find_run(Code code, int chunks);

}  // namespace lockstep::spirv
