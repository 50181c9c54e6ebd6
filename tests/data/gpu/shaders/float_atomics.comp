#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

#extension GL_EXT_shader_atomic_float : require
// Sums by atomics of floats: any order.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) buffer Totals { T total[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  atomicAdd(total[i % 3u], x[i]);
  atomicAdd(total[3], T(1));
}
