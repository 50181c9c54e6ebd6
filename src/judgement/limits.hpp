#pragma once

#include <cstdint>

namespace lockstep::judgement {

/// Iterations before a loop counts as endless, in runs that only explain others.
inline constexpr std::uint64_t most_steps = std::uint64_t{1} << 22;

}  // namespace lockstep::judgement
