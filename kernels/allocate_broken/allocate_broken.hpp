#pragma once

// Source: the VK_KHR_shader_subgroup_uniform_control_flow sample (000_eb301fa651939dfe.txt and, in
// Chinese, 001_7148184d7426f66a.txt), the allocation before its repair.
//
// As kernels/allocate, but only the lanes that have something to store enter the outer selection.
// That selection is divergent, and without maximal reconvergence nothing promises that the lane
// which advanced the counter rejoins the others at the end of the election. If it does not, the
// others broadcast an uninitialised base, and overwrite slots that are not theirs.

#include <cstdint>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct AllocateBroken : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const uint> in;
  Buffer<uint> free_slot;
  Buffer<uint> data;

  void main() {
    auto value = var(1u);
    If (gl_GlobalInvocationID.x < in.length()) {
      value = in[gl_GlobalInvocationID.x];
    }
    const Bool needs_space = value % 2u == 0u;
    If (needs_space) {
      const auto mask = subgroupBallot(needs_space);
      const Uint size = subgroupBallotBitCount(mask);
      auto base = var(0u);
      If (subgroupElect()) {
        base = atomicAdd(free_slot[0], size);
      }
      base = subgroupBroadcastFirst(base);
      const Uint offset = subgroupBallotExclusiveBitCount(mask);
      data[base + offset] = value;
    }
  }
};

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
