#pragma once

#include <lockstep/lanes/lanes.hpp>

/// \file
/// GL_KHR_shader_subgroup_basic. Barriers belong to the machine (workgroup/barrier.hpp): lanes in
/// lockstep have nothing to wait for.

namespace lockstep::inline LOCKSTEP_ABI {

/// True in the lowest active lane only.
///
/// Requires      None.
/// Active lanes  Inactive lanes contribute nothing and get false. Every call elects again.
/// Errors        None.
/// Cost          Two scalar instructions.
/// Spec          GLSL subgroupElect · SPIR-V OpGroupNonUniformElect
/// Example       kernels/allocate
template <int W>
LOCKSTEP_INLINE Lanes<bool, W> subgroupElect(Mask<W> active) {
  return active.lowest();
}

}  // namespace lockstep::inline LOCKSTEP_ABI
