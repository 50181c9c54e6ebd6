#pragma once

/// \file
/// What a script may require of a device, and whether a compute device has it.

#include <string>
#include <string_view>

#include <lockstep/dispatch/profile.hpp>

#include "amber/script.hpp"

namespace lockstep::amber {

/// Whether AmberScript has a DEVICE_FEATURE of that name.
bool is_known_feature(std::string_view name);

/// The part of a requirement that the device lacks; empty if none. Devices here only run compute
/// shaders, so they have no graphics and ray tracing features.
std::string unmet(const Requirement& requirement, const Profile& profile);

}  // namespace lockstep::amber
