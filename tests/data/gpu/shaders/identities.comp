#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Identities of real arithmetic that compilers may know.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) writeonly buffer Out { T r[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  T a = x[i] + T(9), b = x[i + 64u] + T(9), e = T(1e-3) * a;
  r[i] = (a + e) - a;
  T sum = a + b, part = sum - a;
  r[64u + i] = (a - (sum - part)) + (b - part);
  r[128u + i] = sqrt(a) * sqrt(a);
  r[192u + i] = a * b / b;
  r[256u + i] = a / b * b;
  r[320u + i] = T(1) / (T(1) / a);
  r[384u + i] = a * b - b * a;
  r[448u + i] = (a - b) * (a + b);
  r[512u + i] = inversesqrt(a) * a;
  r[576u + i] = a * T(0) + b;
  r[640u + i] = max(a, b) - min(a, b);
  T h = T(1);
  for (uint k = 0u; k < 6u; ++k) h = h * e + x[(i + k) % 64u];
  r[704u + i] = h;
}
