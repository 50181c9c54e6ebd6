#pragma once

#include <string>
#include <string_view>

/// \file
/// Findings in HLSL speak of HLSL's functions.

namespace lockstep {

/// Whether a source file is HLSL, by its ending.
bool is_hlsl_file(std::string_view file);

/// The text with the names of HLSL's functions for those of GLSL that HLSL has, too.
std::string in_words_of_hlsl(std::string_view text);

}  // namespace lockstep
