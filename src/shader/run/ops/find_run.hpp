#pragma once

#include "shader/run/program.hpp"

namespace lockstep::spirv {

/// Loads and stores of numbers of 1, 2 or 4 bytes at base + lane by subgroups of whole chunks; imm is the subgroups'
/// size.
Run find_run(Code code, int chunks, std::uint32_t bytes);

}  // namespace lockstep::spirv
