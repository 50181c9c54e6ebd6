#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

#extension GL_NV_shader_subgroup_partitioned : require
// Reductions over lanes with equal keys.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) readonly buffer Keys { uint k[]; };
layout(binding = 2) writeonly buffer Out { T r[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uvec4 same = subgroupPartitionNV(k[i]);
  r[i] = subgroupPartitionedAddNV(x[i], same);
  r[64u + i] = subgroupPartitionedInclusiveAddNV(x[i], same);
  r[128u + i] = subgroupPartitionedMaxNV(x[i], same);
  r[192u + i] = T(subgroupBallotBitCount(same));
}
