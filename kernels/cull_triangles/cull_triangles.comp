#version 450
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_arithmetic : enable

// The port of cull_triangles.hpp.

layout(local_size_x = 128) in;

struct Vertex {
  float x, y, z, u, v;
};

layout(std430, binding = 0) readonly buffer InTriangles { Vertex in_triangles[]; };
layout(std430, binding = 1) buffer OutTrianglesSize { uint out_triangles_size[]; };
layout(std430, binding = 2) writeonly buffer OutTriangles { Vertex out_triangles[]; };

void main() {
  uint triangle = gl_GlobalInvocationID.x;
  if (triangle < in_triangles.length() / 3) {
    Vertex a = in_triangles[triangle * 3];
    Vertex b = in_triangles[triangle * 3 + 1];
    Vertex c = in_triangles[triangle * 3 + 2];
    precise float area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    bool keep = area > 0.0;
    uint vertices = keep ? 3 : 0;
    uint local_index = subgroupExclusiveAdd(vertices);
    uint highest = subgroupBallotFindMSB(subgroupBallot(true));
    uint slice = 0;
    if (highest == gl_SubgroupInvocationID) {
      slice = atomicAdd(out_triangles_size[0], local_index + vertices);
    }
    uint at = subgroupMax(slice) + local_index;
    if (keep) {
      out_triangles[at] = a;
      out_triangles[at + 1] = b;
      out_triangles[at + 2] = c;
    }
  }
}
