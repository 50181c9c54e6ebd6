#pragma once

// Source: "Vulkan Subgroup Tutorial" (003_24e6b1a705ab0ab7.txt), the clustered category: max pooling.
//
// Each output texel is the largest of 4x4 input texels. Sixteen lanes load them, four per row, and
// subgroupClusteredMax finds the largest; the first lane of each cluster stores it:
//
//     x  0  1  2  3    4  5  6  7
//   y 0  0  1  2  3   16 17 18 19
//     1  4  5  6  7   20 21 22 23
//     2  8  9 10 11   24 25 26 27
//     3 12 13 14 15   28 29 30 31
//
// The text makes workgroups of one subgroup through a specialization constant. Here they have eight
// clusters, whatever the subgroup size, and the slice is the workgroup's own, not the next one.

#include <cstdint>

#include <lockstep/glsl/image.hpp>
#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

inline constexpr std::uint32_t max_pool_cluster = 16;

template <class S>
struct MaxPool : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  image3D in_image;
  image3D out_image;

  void main() {
    const uint clusters = gl_WorkGroupSize.x / max_pool_cluster;
    const Uint out_x = gl_WorkGroupID.x * clusters + gl_LocalInvocationIndex / max_pool_cluster;
    If (out_x < out_image.size().x) {
      const Uint x = out_x * 4u + gl_SubgroupInvocationID % 4u;
      const Uint y = gl_WorkGroupID.y * 4 + gl_SubgroupInvocationID / 4u % 4u;
      const Uint z = gl_WorkGroupID.z;
      const Float texel = imageLoad(in_image, ivec3(x, y, z)).x;
      const Float largest = subgroupClusteredMax(texel, max_pool_cluster);
      If (gl_SubgroupInvocationID % max_pool_cluster == 0u) {
        imageStore(out_image, ivec3(out_x, gl_WorkGroupID.y, z), vec4(largest));
      }
    }
  }
};

/// Each texel of out_image becomes the largest of 4x4 texels of in_image. Requires an in_image four
/// times as wide and high and just as deep, and a subgroup size that is a multiple of 16.
template <int... Widths>
void max_pool(Image& in_image, Image& out_image, const Device& device) {
  const Size3 size = out_image.size();
  device.dispatch<MaxPool, Widths...>({(size.x + 7) / 8, size.y, size.z}, in_image, out_image);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
