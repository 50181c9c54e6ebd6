#pragma once

#include <string_view>

#include <spirv/unified1/spirv.hpp11>

/// \file
/// Features that the engine refuses and whose instructions the installed headers may not know, so that only their
/// capabilities tell what a module needs.

namespace lockstep::spirv {

/// The name of such a feature; empty for other capabilities.
std::string_view newer_feature(spv::Capability capability);

}  // namespace lockstep::spirv
