#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Softmax, layer norm and root mean square norm of rows, one subgroup each.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) writeonly buffer Out { T r[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  T v = x[i];
  T most = subgroupMax(v);
  T e = exp(v - most);
  r[i] = e / subgroupAdd(e);
  T n = T(gl_SubgroupSize);
  T mean = subgroupAdd(v) / n;
  T variance = subgroupAdd((v - mean) * (v - mean)) / n;
  r[128u + i] = (v - mean) * inversesqrt(variance + T(1e-3));
  r[256u + i] = v * inversesqrt(subgroupAdd(v * v) / n + T(1e-3));
}
