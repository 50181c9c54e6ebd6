#pragma once

/// \file
/// What a script may ask of a device, and whether a device for compute has it.

#include <string>
#include <string_view>

#include <lockstep/dispatch/profile.hpp>

#include "amber/script.hpp"

namespace lockstep::amber {

/// Whether AmberScript has a DEVICE_FEATURE of that name.
bool is_known_feature(std::string_view name);

/// What the device lacks of a requirement; empty if nothing. Devices here run compute shaders only,
/// so they have no features of graphics and ray tracing.
std::string unmet(const Requirement& requirement, const Profile& profile);

}  // namespace lockstep::amber
