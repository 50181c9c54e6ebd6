#pragma once

#include <functional>
#include <string>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/module.hpp>

#include "shader/front/compile.hpp"

/// \file
/// Compilation in a process of its own: glslang and the validator recurse as deep as a shader nests, and take as much
/// time and memory as it asks for.

namespace lockstep::spirv {

/// The compiler has crashed: another one may not.
class CompilerCrash : public Error {
 public:
  using Error::Error;
};

/// What the function returns or throws as Error, from a child process that is ended at the limits. Throws Error with
/// the name of the shader if it reached one or was ended otherwise, CompilerCrash if it crashed.
Binary in_child(const std::string& name, const CompileLimits& limits,
                const std::function<Binary()>& compile);

}  // namespace lockstep::spirv
