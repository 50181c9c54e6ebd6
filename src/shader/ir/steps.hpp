#pragma once

#include <cstdint>

/// \file
/// The work of passes over the IR and of the assembler, for tests: it has to be in proportion to the shader's size.

namespace lockstep::spirv {

/// The operations and instructions that this thread's passes looked at where one may be looked at several times.
inline thread_local std::uint64_t steps_of_passes = 0;

}  // namespace lockstep::spirv
