#pragma once

/// \file
/// What a script may ask of a device, and whether a device for compute has it.

#include <string>
#include <string_view>

#include "amber/script.hpp"

namespace lockstep::amber {

/// Whether AmberScript has a DEVICE_FEATURE of that name.
bool is_known_feature(std::string_view name);

/// Why the device cannot run a script that requires this; empty if it can. A device here runs compute
/// shaders only, so it has no features of graphics and ray tracing.
std::string unmet(const Requirement& requirement);

}  // namespace lockstep::amber
