#pragma once

#include <cstdint>
#include <vector>

#include "shader/ir/ir.hpp"

/// \file
/// What cannot race, whatever the values are.

namespace lockstep::spirv {

/// Invocations in a row of a dispatch: more are not looked at.
inline constexpr std::uint64_t most_row = 1 << 25;

/// By resource: whether no two invocations access the same bytes of it without order, one of them to write: all accesses
/// are atomics, or each invocation accesses elements of its own, between the same barriers if it is shared memory.
/// `axes`: invocations of the dispatch differ in their first so many ids.
/// Requires that no other resource shares its memory, that barriers are reached by all invocations, and rows of at most
/// `most_row` invocations.
std::vector<bool> find_race_free(const Ir& ir, int axes);

}  // namespace lockstep::spirv
