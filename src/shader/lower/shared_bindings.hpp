#pragma once

#include "shader/front/module.hpp"

namespace lockstep::spirv {

class Lowering;

/// Throws Error where two resources that the entry point uses have one binding by mistake: resources of different kinds,
/// which no descriptor fits, and HLSL's registers t0 and u0. Otherwise a buffer may be declared twice.
///
/// Types must have been lowered.
void check_shared_bindings(Lowering& l, Id entry);

}  // namespace lockstep::spirv
