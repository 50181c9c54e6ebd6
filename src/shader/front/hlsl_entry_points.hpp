#pragma once

#include <string>
#include <vector>

namespace lockstep::spirv {

/// The functions with [numthreads], in order; those of included files and macros are not seen.
std::vector<std::string> hlsl_entry_points(const std::string& text);

/// The entry point that `wanted` means: itself, or for main the only one that there is.
std::string hlsl_entry_point(const std::string& text, const std::string& wanted);

}  // namespace lockstep::spirv
