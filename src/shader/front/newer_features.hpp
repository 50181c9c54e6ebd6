#pragma once

#include <string_view>

// spirv.hpp11 declares which opcodes have a result and a type only on request.
#define SPV_ENABLE_UTILITY_CODE
#include <spirv/unified1/spirv.hpp11>

/// \file
/// Features that the engine rejects. The installed headers may lack their instructions, so only the capabilities show
/// what a module needs.

namespace lockstep::spirv {

/// The name of such a feature; empty for other capabilities.
std::string_view newer_feature(spv::Capability capability);

}  // namespace lockstep::spirv
