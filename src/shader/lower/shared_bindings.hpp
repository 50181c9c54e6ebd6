#pragma once

namespace lockstep::spirv {

class Lowering;

/// Throws Error where two resources that the module's functions use have one binding by mistake: resources of different
/// kinds, which no descriptor fits, and HLSL's registers t0 and u0. Otherwise a buffer may be declared twice.
///
/// Types must have been lowered.
void check_shared_bindings(Lowering& l);

}  // namespace lockstep::spirv
