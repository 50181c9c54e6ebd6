#pragma once

// Source: "Vulkan Subgroup Tutorial" (003_24e6b1a705ab0ab7.txt), the arithmetic category: culling triangles.
//
// One triangle per lane. Those that face the viewer are kept: an exclusive scan of the number of
// vertices that each lane keeps gives it its place in the subgroup's slice of the output. The
// highest active lane, which alone knows the slice's size, allocates it with one atomic. subgroupMax
// tells all lanes where the slice begins. The output's size is an array of its own here.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

LOCKSTEP_STRUCT(CullVertex, (float, x), (float, y), (float, z), (float, u), (float, v));

template <class S>
struct CullTriangles : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const CullVertex> in_triangles;
  Buffer<uint> out_triangles_size;  // in vertices
  Buffer<CullVertex> out_triangles;

  void main() {
    const Uint triangle = gl_GlobalInvocationID.x;
    If (triangle < in_triangles.length() / 3) {
      const auto a = copy_of(in_triangles[triangle * 3u]);
      const auto b = copy_of(in_triangles[triangle * 3u + 1u]);
      const auto c = copy_of(in_triangles[triangle * 3u + 2u]);
      const Bool keep = faces_viewer(a, b, c);
      const Uint vertices = select(keep, Uint(3u), Uint(0u));
      const Uint local_index = subgroupExclusiveAdd(vertices);
      const uint highest = subgroupBallotFindMSB(subgroupBallot(true));
      auto slice = var(0u);
      If (highest == gl_SubgroupInvocationID) {
        slice = atomicAdd(out_triangles_size[0], local_index + vertices);
      }
      const Uint at = subgroupMax(slice) + local_index;
      If (keep) {
        out_triangles[at] = a;
        out_triangles[at + 1u] = b;
        out_triangles[at + 2u] = c;
      }
    }
  }

  /// Whether the corners go around counter-clockwise.
  template <class Vertex>
  Bool faces_viewer(const Vertex& a, const Vertex& b, const Vertex& c) {
    return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y) > 0.0f;
  }
};

/// Copies the triangles that face the viewer, in any order of subgroups; returns their number of
/// vertices. Requires three vertices per triangle, and room for all of them.
template <int... Widths>
std::uint32_t cull_triangles(std::span<const CullVertex> in_triangles,
                             std::span<CullVertex> out_triangles, const Device& device) {
  std::uint32_t out_triangles_size[1] = {0};
  const auto workgroups = static_cast<std::uint32_t>((in_triangles.size() / 3 + 127) / 128);
  device.dispatch<CullTriangles, Widths...>({workgroups}, in_triangles, out_triangles_size,
                                            out_triangles);
  return out_triangles_size[0];
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
