#pragma once

// Source: "Vulkan Subgroup Tutorial" (003_24e6b1a705ab0ab7.txt), the arithmetic category: culling triangles.
//
// One triangle a lane. Those that face the viewer are kept: an exclusive scan of how many vertices each
// lane keeps gives it its place in the subgroup's slice of the output, and the highest active lane,
// which alone knows the slice's size, carves it out with one atomic. subgroupMax tells everyone where
// the slice begins. The output's size is an array of its own here; a vertex is five floats: position
// and texture coordinates.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct CullTriangles : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const float> in_triangles;
  Buffer<uint> out_triangles_size;  // in vertices
  Buffer<float> out_triangles;

  struct Vertex {
    Float x, y, z, u, v;
  };

  void main() {
    const Uint triangle = gl_GlobalInvocationID.x;
    If (triangle < in_triangles.length() / 15) {
      const Vertex a = load(triangle * 3u);
      const Vertex b = load(triangle * 3u + 1u);
      const Vertex c = load(triangle * 3u + 2u);
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
        store(at, a);
        store(at + 1u, b);
        store(at + 2u, c);
      }
    }
  }

  /// Whether the corners go around counter-clockwise.
  Bool faces_viewer(const Vertex& a, const Vertex& b, const Vertex& c) {
    return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y) > 0.0f;
  }

  Vertex load(const Uint& vertex) {
    const Uint at = vertex * 5u;
    return {in_triangles[at], in_triangles[at + 1u], in_triangles[at + 2u], in_triangles[at + 3u],
            in_triangles[at + 4u]};
  }

  void store(const Uint& vertex, const Vertex& value) {
    const Uint at = vertex * 5u;
    out_triangles[at] = value.x;
    out_triangles[at + 1u] = value.y;
    out_triangles[at + 2u] = value.z;
    out_triangles[at + 3u] = value.u;
    out_triangles[at + 4u] = value.v;
  }
};

/// Copies the triangles that face the viewer, in any order of subgroups; returns how many vertices
/// they have. Requires 15 floats a triangle, and room for all of them.
template <int... Widths>
std::uint32_t cull_triangles(std::span<const float> in_triangles, std::span<float> out_triangles,
                             const Device& device) {
  std::uint32_t out_triangles_size[1] = {0};
  const auto workgroups = static_cast<std::uint32_t>((in_triangles.size() / 15 + 127) / 128);
  device.dispatch<CullTriangles, Widths...>({workgroups}, in_triangles, out_triangles_size,
                                            out_triangles);
  return out_triangles_size[0];
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
