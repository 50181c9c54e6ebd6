#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Infinities, NaN, zeros and denormals.
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Out { float r[]; };
layout(binding = 1) writeonly buffer Tests { uint t[]; };
layout(binding = 2) readonly buffer Bits { uint b[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  float a = uintBitsToFloat(b[i % 16u]), c = uintBitsToFloat(b[i / 16u * 3u]);
  r[i] = a;
  r[64u + i] = min(a, c);
  r[128u + i] = max(a, c);
  r[192u + i] = a + c;
  r[256u + i] = a * c;
  r[320u + i] = abs(a);
  r[384u + i] = -a;
  r[448u + i] = clamp(a, 0.0, 1.0);
  r[512u + i] = floor(a);
  r[576u + i] = subgroupMin(a);
  r[640u + i] = subgroupMax(c);
  r[704u + i] = subgroupShuffleXor(a, 1u);
  t[i] = uint(a < c) | uint(a == c) << 1 | uint(isnan(a)) << 2 | uint(isinf(a)) << 3 | uint(a != c) << 4 |
         uint(a >= c) << 5;
}
