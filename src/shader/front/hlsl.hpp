#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <spirv-tools/libspirv.h>

/// \file
/// Corrections to the SPIR-V that glslang generates from HLSL.

namespace lockstep::spirv {

bool is_hlsl(const std::string& path);

/// The module with the meaning that HLSL gives WavePrefixSum and WavePrefixProduct: without the lane's own value, which
/// glslang adds. Nothing else in HLSL becomes such a scan.
std::vector<std::uint32_t> with_exclusive_prefixes(std::vector<std::uint32_t> words);

/// The module after legalization: HLSL's functions take and return buffers and samplers, which SPIR-V does not allow.
std::vector<std::uint32_t> legalized(std::vector<std::uint32_t> words, spv_target_env environment);

}  // namespace lockstep::spirv
