#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// A tile of a matrix product through shared memory.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer A { T a[]; };
layout(binding = 1) readonly buffer B { T b[]; };
layout(binding = 2) writeonly buffer C { T c[]; };
shared T tile_a[8][8];
shared T tile_b[8][8];
void main() {
  uvec2 l = gl_LocalInvocationID.xy, g = gl_GlobalInvocationID.xy;
  T sum = T(0);
  for (uint k = 0u; k < 16u; k += 8u) {
    tile_a[l.y][l.x] = a[g.y * 16u + k + l.x];
    tile_b[l.y][l.x] = b[(k + l.y) * 16u + g.x];
    barrier();
    for (uint n = 0u; n < 8u; ++n) sum += tile_a[l.y][n] * tile_b[n][l.x];
    barrier();
  }
  c[g.y * 16u + g.x] = sum;
}
