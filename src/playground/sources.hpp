#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace lockstep::playground {

/// The GLSL of kernels/ and docs/lessons/ by name; the build writes them into a source.
std::span<const std::pair<std::string_view, std::string_view>> example_sources();

}  // namespace lockstep::playground
