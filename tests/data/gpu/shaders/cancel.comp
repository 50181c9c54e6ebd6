#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Sums that cancel: a large value and its opposite among small ones.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) writeonly buffer Out { T r[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  T v = x[i];
  if (gl_SubgroupInvocationID == 1u) v = T(20000.0);
  if (gl_SubgroupInvocationID == 3u) v = T(-20000.0);
  r[i] = subgroupAdd(v);
  r[64u + i] = subgroupInclusiveAdd(v);
  r[128u + i] = subgroupAdd(v * v) - subgroupAdd(v) * subgroupAdd(v);
  T sum = T(0);
  for (uint k = 0u; k < 16u; ++k) sum += x[(i + k) % 64u] * (k % 2u == 0u ? T(1) : T(-1));
  r[192u + i] = sum;
}
