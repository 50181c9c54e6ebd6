#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// A scan of a workgroup: of each subgroup, then of their totals in shared memory.
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) writeonly buffer Out { T r[]; };
shared T totals[128];
void main() {
  uint i = gl_GlobalInvocationID.x;
  T v = x[i];
  T within = subgroupInclusiveAdd(v);
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u) totals[gl_SubgroupID] = within;
  barrier();
  T before = T(0);
  for (uint s = 0u; s < gl_SubgroupID; ++s) before += totals[s];
  r[i] = before + within;
}
