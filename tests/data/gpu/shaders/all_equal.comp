#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Whether a value is the same in all lanes, where it is and where it is not.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) writeonly buffer Out { uint r[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  T v = x[i], first = subgroupBroadcastFirst(v);
  r[i] = uint(subgroupAllEqual(v)) | uint(subgroupAllEqual(first)) << 1;
  if (v == first) r[64u + i] = uint(subgroupAllEqual(v));
  else r[64u + i] = 2u | uint(subgroupAllEqual(v));
}
