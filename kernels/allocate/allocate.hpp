#pragma once

// Source: the VK_KHR_shader_subgroup_uniform_control_flow sample (000_eb301fa651939dfe.txt and, in
// Chinese, 001_7148184d7426f66a.txt), the repaired allocation.
//
// Lanes that have something to store allocate their slots together: one lane of the subgroup
// advances the free-slot counter for all, and each lane takes the slot of its rank. The outer
// condition is the same for the whole subgroup, so the lanes that broadcast are those that voted.

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
    If (gl_GlobalInvocationID.x < in.length()) {
      const Uint value = in[gl_GlobalInvocationID.x];
      const Bool needs_space = value % 2u == 0u;
      if (subgroupAny(needs_space)) {
        const auto mask = subgroupBallot(needs_space);
        const uint size = subgroupBallotBitCount(mask);
        auto base = var(0u);
        If (subgroupElect()) {
          base = atomicAdd(free_slot[0], size);
        }
        const uint first = subgroupBroadcastFirst(base);
        const Uint offset = subgroupBallotExclusiveBitCount(mask);
        If (needs_space) {
          data[first + offset] = value;
        }
      }
    }
  }
};

/// Stores the even values of `in` into `data`, in any order of subgroups; returns how many there
/// are. Requires data to have room for them.
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
