#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Denormal operands and results. S scales numbers near 1 to the edge of normal ones.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) writeonly buffer Out { T r[]; };
layout(binding = 2) writeonly buffer Tests { uint t[]; };
layout(binding = 3) readonly buffer Scale { T s[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  T a = x[i] * s[0], b = x[i + 64u] * s[0];
  r[i] = a;
  r[64u + i] = a + b;
  r[128u + i] = a - b;
  r[192u + i] = a * x[i];
  r[256u + i] = min(a, b);
  r[320u + i] = max(a, T(0));
  r[384u + i] = abs(a);
  r[448u + i] = sign(a);
  r[512u + i] = subgroupAdd(a);
  r[576u + i] = subgroupMax(a);
  r[640u + i] = ceil(a);
  r[704u + i] = fma(a, x[i], b);
  t[i] = uint(a < b) | uint(a == T(0)) << 1 | uint(a > T(0)) << 2;
}
