#pragma once

#include <string>

namespace lockstep::spirv {

/// Blanks the comments of GLSL or HLSL, so that their text is not taken for code. Positions and line ends stay.
std::string without_comments(const std::string& text);

}  // namespace lockstep::spirv
