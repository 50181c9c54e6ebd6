#pragma once

// Source: "Подгруппы в шейдерах в Vulkan" (004_b05b118e658f6d06.txt), the rotate category.
//
// As kernels/rotate, but within each lane's own cluster of four. Clusters must be complete, so
// lanes past the end of the data stay active, with zero.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

/// The distance that values move.
struct ClusteredRotateBy {
  std::uint32_t delta;
};

template <class S>
struct ClusteredRotate : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};
  static constexpr uint cluster_size = 4;

  Buffer<const uint> in;
  Buffer<uint> out;
  ClusteredRotateBy by;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    auto value = var(0u);
    If (i < in.length()) {
      value = in[i];
    }
    const Uint rotated = subgroupClusteredRotate(value, by.delta, cluster_size);
    If (i < out.length()) {
      out[i] = rotated;
    }
  }
};

/// Rotates each group of four values; those past the end are zero. Requires out.size() ==
/// in.size(), and a subgroup size that is a multiple of four.
template <int... Widths>
void clustered_rotate(std::span<const std::uint32_t> in, std::span<std::uint32_t> out,
                      std::uint32_t delta, const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((in.size() + 127) / 128);
  device.dispatch<ClusteredRotate, Widths...>({workgroups}, in, out, ClusteredRotateBy{delta});
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
