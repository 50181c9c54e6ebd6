#pragma once

// Source: the VK_KHR_shader_subgroup_uniform_control_flow sample (000_eb301fa651939dfe.txt and, in
// Chinese, 001_7148184d7426f66a.txt), the repaired allocation.
//
// Lanes that have something to store allocate their slots together: one lane of the subgroup
// advances the free-slot counter for all, and each lane takes the slot of its rank.
//
// The lane that advanced the counter must rejoin the others before it broadcasts. The kernel relies
// on VK_KHR_shader_subgroup_uniform_control_flow for that: the condition of the outer selection is
// a vote, so the whole subgroup enters it and is together again at the end of the election. For the
// same reason, lanes beyond the input enter as well, with nothing to store. kernels/allocate_broken
// shows what happens otherwise, kernels/allocate_nonuniform what this kernel still relies on.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct Allocate : Kernel<S> {
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
};

/// Stores the even values of `in` into `data`, in any order of subgroups; returns their number.
/// Requires      room for them in data.
template <int... Widths>
std::uint32_t allocate(std::span<const std::uint32_t> in, std::span<std::uint32_t> data,
                       const Device& device) {
  std::uint32_t free_slot[1] = {0};
  const auto workgroups = static_cast<std::uint32_t>((in.size() + 127) / 128);
  device.dispatch<Allocate, Widths...>({workgroups}, in, free_slot, data);
  return free_slot[0];
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
