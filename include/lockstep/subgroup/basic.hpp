#pragma once

#include <lockstep/lanes/lanes.hpp>

/// \file
/// GL_KHR_shader_subgroup_basic. The barriers are the machine's business (workgroup/barrier.hpp):
/// lanes that run in lockstep have nothing to wait for.

namespace lockstep::inline LOCKSTEP_ABI {

/// True in the lowest active lane only.
///
/// Requires      None.
/// Active lanes  Inactive lanes give nothing and get false. The choice is made anew at every call.
/// Errors        None.
/// Cost          Two scalar instructions.
/// Spec          GLSL subgroupElect · SPIR-V OpGroupNonUniformElect
/// Example       kernels/allocate
template <int W>
LOCKSTEP_INLINE Lanes<bool, W> subgroupElect(Mask<W> active) {
  return active.lowest();
}

}  // namespace lockstep::inline LOCKSTEP_ABI
