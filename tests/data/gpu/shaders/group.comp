#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)
#define NAME(start) JOIN(start, OP)
// Reductions and scans of one operation, over all lanes, and lanes that diverged.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) writeonly buffer Out { T r[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  T v = x[i];
  r[i] = NAME(subgroup)(v);
  r[64u + i] = NAME(subgroupInclusive)(v);
  r[128u + i] = NAME(subgroupExclusive)(v);
  if (i % 3u != 1u && i != 40u) {
    r[192u + i] = NAME(subgroup)(v);
    r[256u + i] = NAME(subgroupInclusive)(v);
    r[320u + i] = NAME(subgroupExclusive)(v);
  } else {
    r[192u + i] = NAME(subgroupInclusive)(v);
  }
}
