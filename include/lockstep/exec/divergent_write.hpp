#pragma once

#include <lockstep/exec/lane_set.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/exec/source_location.hpp>

namespace lockstep {

/// The lanes of a subgroup that have returned from the kernel: those in no tangle and on no frame.
LaneSet returned_lanes(const ReconvergenceStack& stack);

namespace fail {

/// Throws Error: a variable with one value for the subgroup is written where some of its lanes wait outside.
[[noreturn, gnu::cold, gnu::noinline]] void divergent_write(SourceLocation where, LaneSet active,
                                                            LaneSet outside);

}  // namespace fail
}  // namespace lockstep
