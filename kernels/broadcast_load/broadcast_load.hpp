#pragma once

// Source: "Vulkan Subgroup Tutorial" (003_24e6b1a705ab0ab7.txt), the ballot category: one value for all.
//
// One lane of the subgroup computes which table entry the subgroup needs, loads it and broadcasts
// it.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct BroadcastLoad : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const vec4> table;
  Buffer<vec4> out;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i < out.length()) {
      auto value = var(vec4(0.0f));
      If (subgroupElect()) {
        value = table[index()];
      }
      out[i] = subgroupBroadcastFirst(value);
    }
  }

  /// An index that all lanes of a subgroup share.
  uint index() {
    const uint subgroup = gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID;
    return (subgroup * 7 + 3) % table.length();
  }
};

/// All lanes of subgroup s get entry (7 s + 3) mod the table's length. Requires at least one
/// entry.
template <int... Widths>
void broadcast_load(std::span<const std430::vec4> table, std::span<std430::vec4> out,
                    const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((out.size() + 127) / 128);
  device.dispatch<BroadcastLoad, Widths...>({workgroups}, table, out);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
