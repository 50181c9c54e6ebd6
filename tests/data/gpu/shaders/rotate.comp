#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

#extension GL_KHR_shader_subgroup_rotate : require
// Values of lanes at a distance, around the subgroup and around clusters.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) writeonly buffer Out { T r[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  r[i] = subgroupRotate(x[i], 3u);
  r[64u + i] = subgroupClusteredRotate(x[i], 1u, 4u);
}
