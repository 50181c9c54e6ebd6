#pragma once

#include <lockstep/dispatch/features.hpp>

#include "spirv/front/module.hpp"
#include "spirv/ir/ir.hpp"

namespace lockstep::spirv {

/// What a device must have to run the shader: what its capabilities and its operations ask for.
Features needs_of(const Module& module, const Ir& ir);

}  // namespace lockstep::spirv
