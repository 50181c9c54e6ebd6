#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace lockstep::cli {

/// The GLSL of kernels/ and docs/lessons/ by name; the build writes them into a source.
std::span<const std::pair<std::string_view, std::string_view>> serve_sources();

}  // namespace lockstep::cli
