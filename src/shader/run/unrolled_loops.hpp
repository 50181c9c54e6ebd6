#pragma once

#include <cstdint>

#include "shader/ir/ir.hpp"

/// \file
/// Loops whose number of iterations constants decide, as `for (int k = 0; k < 4; ++k)`.

namespace lockstep::spirv {

/// Longer loops stay.
inline constexpr std::uint64_t most_unrolled_trips = 32;

/// Replaces short loops by their iterations, one after the other, if constants decide their number and all lanes make
/// them together: nothing leaves the loop but its test, and there is no barrier in it. An index that is then known makes
/// a component of an array a plain variable, and operations on constants become constants. Returns whether there were
/// any; the names of values are no longer where they were. size: of subgroups.
bool unroll_loops(Ir& ir, int size);

}  // namespace lockstep::spirv
