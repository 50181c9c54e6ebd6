#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shader/front/compile.hpp"

/// \file
/// Compilers that are programs of their own: newer ones know more than the library that is linked.

namespace lockstep::spirv {

/// The module that a glslangValidator, glslang, glslc, dxc, slangc, naga, tint or clspv makes of a file; which of them it is,
/// its file name tells. It runs under the limits of this process. Throws Error with its message.
std::vector<std::uint32_t> compile_by(const std::string& compiler, const std::string& path,
                                      const CompileOptions& options);

}  // namespace lockstep::spirv
