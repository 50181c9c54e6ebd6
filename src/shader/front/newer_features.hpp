#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// spirv.hpp11 declares which opcodes have a result and a type only on request.
#define SPV_ENABLE_UTILITY_CODE
#include <spirv/unified1/spirv.hpp11>

/// \file
/// Features that the engine rejects. The installed headers may lack their instructions, so only the capabilities show
/// what a module needs.

namespace lockstep::spirv {

/// The name of such a feature; empty for other capabilities.
std::string_view newer_feature(spv::Capability capability);

/// Throws Error if a whole module declares the capability of one.
void check_newer_features(const std::vector<std::uint32_t>& words, const std::string& name);

}  // namespace lockstep::spirv
