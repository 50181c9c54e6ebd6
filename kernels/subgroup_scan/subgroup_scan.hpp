#pragma once

// Source: "Vulkan Subgroup Tutorial" (003_24e6b1a705ab0ab7.txt), the arithmetic category: scans.
//
// The same scans twice: by a loop in which each lane adds up the lanes before it and leaves when it
// reaches itself, and by the built-ins that replace the loop.

#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct SubgroupScan : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const float> values;
  Buffer<float> loop_inclusive;
  Buffer<float> loop_exclusive;
  Buffer<float> inclusive;
  Buffer<float> exclusive;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i < values.length()) {
      loop_inclusive[i] = add_before(gl_SubgroupInvocationID + 1u);
      loop_exclusive[i] = add_before(gl_SubgroupInvocationID);
      const Float value = values[i];
      inclusive[i] = subgroupInclusiveAdd(value);
      exclusive[i] = subgroupExclusiveAdd(value);
    }
  }

  /// The sum of the subgroup's values in lanes below `end`.
  Float add_before(const Uint& end) {
    const uint first = subgroupBroadcastFirst(gl_GlobalInvocationID.x);
    auto sum = var(0.0f);
    For (uint i = 0, i < gl_SubgroupSize, ++i) {
      If (i == end) {
        Break;
      }
      sum += values[first + i];
    }
    return sum;
  }
};

/// Each subgroup's scans of its values, by the loop and by the built-ins. Requires all of one size.
template <int... Widths>
void subgroup_scan(std::span<const float> values, std::span<float> loop_inclusive,
                   std::span<float> loop_exclusive, std::span<float> inclusive,
                   std::span<float> exclusive, const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((values.size() + 127) / 128);
  device.dispatch<SubgroupScan, Widths...>({workgroups}, values, loop_inclusive, loop_exclusive,
                                           inclusive, exclusive);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
