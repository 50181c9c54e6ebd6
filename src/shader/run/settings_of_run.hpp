#pragma once

#include "shader/run/program.hpp"

/// \file
/// What programs ask about the dispatch that they run in.

namespace lockstep::spirv {

/// Whether a loop that reached its limit of iterations may go on.
[[gnu::cold]] bool goes_on(const Context& c);

/// Whether stores outside images are findings: Vulkan discards them (Texel Output Coordinate Validation), so only a checked
/// run reports them.
[[gnu::cold]] bool tells_discarded(const Context& c);

}  // namespace lockstep::spirv
