#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Integer arithmetic and the bit functions.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) writeonly buffer Out { T r[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  T a = x[i], b = x[i + 64u];
  r[i] = a + b;
  r[64u + i] = a * b;
  r[128u + i] = a - b;
  T d = b | T(1);
  r[192u + i] = a / d;
  r[256u + i] = min(a, b) ^ max(a, b) & ~a;
  r[320u + i] = a >> T(i % 7u);
  r[384u + i] = a << T(i % 7u);
  r[448u + i] = clamp(a, T(3), T(90)) ^ b;
}
