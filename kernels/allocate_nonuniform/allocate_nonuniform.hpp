#pragma once

// Source: the VK_KHR_shader_subgroup_uniform_control_flow sample (000_eb301fa651939dfe.txt and, in
// Chinese, 001_7148184d7426f66a.txt), its last remark.
//
// The repaired allocation of kernels/allocate inside another selection, which lanes beyond the
// input do not enter. In the subgroup where the input ends, this undoes the repair: the subgroup is
// no longer uniform before the vote, and nothing is promised at the end of the election. Inputs of
// whole subgroups hide the problem.

#include <cstdint>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct AllocateNonuniform : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const uint> in;
  Buffer<uint> free_slot;
  Buffer<uint> data;

  void main() {
    If (gl_GlobalInvocationID.x < in.length()) {
      const Uint value = in[gl_GlobalInvocationID.x];
      const Bool needs_space = value % 2u == 0u;
      If (subgroupAny(needs_space)) {
        const auto mask = subgroupBallot(needs_space);
        const Uint size = subgroupBallotBitCount(mask);
        auto base = var(0u);
        If (subgroupElect()) {
          base = atomicAdd(free_slot[0], size);
        }
        base = subgroupBroadcastFirst(base);
        const Uint offset = subgroupBallotExclusiveBitCount(mask);
        If (needs_space) {
          data[base + offset] = value;
        }
      }
    }
  }
};

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
