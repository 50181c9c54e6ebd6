#pragma once

#include "shader/ir/ir.hpp"

/// \file
/// Returns from the middle of functions, and iterations that end early.

namespace lockstep::spirv {

/// Makes the rest of a function the other side of a selection that returns, and the rest of an iteration that of a
/// selection that continues with the next one:
///
///     if (c) { a; return; }        if (c) { a; }
///     b;                           else { b; }
///
/// The same lanes execute the same operations in the same order, and no lane waits for the function's or the iteration's
/// end: a call without other returns then needs no construct, and short sides can be predicated. Jumps out of loops and
/// switches, and from one of two selections around them, stay.
void make_jumps_sides(Ir& ir);

}  // namespace lockstep::spirv
