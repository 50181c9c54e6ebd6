#pragma once

#include <cstdint>
#include <vector>

#include "shader/ir/ir.hpp"

namespace lockstep::spirv {

/// By operation: the part of the program between barriers that it is in. Accesses to shared memory in different ones are
/// ordered. Barriers in selections do not count, nor does any where invocations may end early.
std::vector<std::uint32_t> find_phases(const Ir& ir);

/// Whether no atomic orders other accesses: all are relaxed, there are no memory barriers, and every barrier is one of a
/// workgroup.
bool are_atomics_unordered(const Ir& ir);

}  // namespace lockstep::spirv
