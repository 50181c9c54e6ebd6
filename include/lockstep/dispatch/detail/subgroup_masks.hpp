#pragma once

#include <cstdint>

/// \file
/// The masks of gl_SubgroupEqMask and the others for a whole subgroup, from the runtime library.

namespace lockstep {

/// Which lanes a mask holds, seen from the lane that it belongs to.
enum class LanesAt { same, same_or_above, above, same_or_below, below };

/// The masks of the first `lanes` lanes of a subgroup of `size`, 32 bits at a time: words[k * lanes + i] has bits
/// 32 k and following of lane i's.
void write_subgroup_masks(LanesAt at, int size, int lanes, std::uint32_t* words);

}  // namespace lockstep
