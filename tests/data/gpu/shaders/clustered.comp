#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)
#define NAME(start) JOIN(start, OP)
// Reductions of one operation over clusters, whole and diverged.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) writeonly buffer Out { T r[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  T v = x[i];
  r[i] = NAME(subgroupClustered)(v, 2u);
  r[64u + i] = NAME(subgroupClustered)(v, 4u);
  if (i % 3u != 1u && i != 40u)
    r[128u + i] = NAME(subgroupClustered)(v, 4u);
  else
    r[128u + i] = NAME(subgroupClustered)(v, 2u);
}
