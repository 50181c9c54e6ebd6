#pragma once

// Source: "Vulkan Subgroup Tutorial" (003_24e6b1a705ab0ab7.txt), the ballot category: a value for everyone.
//
// One lane of the subgroup works out which entry of a table the subgroup needs, loads it and tells the
// others. Vectors lie in their array as four floats each.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct BroadcastLoad : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const float> table;  // vec4
  Buffer<float> out;          // vec4

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i < out.length() / 4) {
      auto value = var(vec4(0.0f));
      If (subgroupElect()) {
        const uint entry = 4 * index();
        value = vec4(Float(table[entry]), Float(table[entry + 1]), Float(table[entry + 2]),
                     Float(table[entry + 3]));
      }
      value = subgroupBroadcastFirst(value);
      const Uint at = i * 4u;
      out[at] = value.x;
      out[at + 1u] = value.y;
      out[at + 2u] = value.z;
      out[at + 3u] = value.w;
    }
  }

  /// Some index that all lanes of a subgroup share.
  uint index() {
    const uint subgroup = gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID;
    return (subgroup * 7 + 3) % (table.length() / 4);
  }
};

/// All lanes of subgroup s get entry (7 s + 3) mod the table's length. Requires four floats an entry, at
/// least one entry, and four floats an invocation.
template <int... Widths>
void broadcast_load(std::span<const float> table, std::span<float> out, const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((out.size() / 4 + 127) / 128);
  device.dispatch<BroadcastLoad, Widths...>({workgroups}, table, out);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
