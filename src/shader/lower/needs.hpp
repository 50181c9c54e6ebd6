#pragma once

#include <lockstep/dispatch/features.hpp>

#include "shader/front/module.hpp"
#include "shader/ir/ir.hpp"

namespace lockstep::spirv {

/// The features that a device needs to run the shader, from its capabilities and its operations.
Features needs_of(const Module& module, const Ir& ir);

}  // namespace lockstep::spirv
