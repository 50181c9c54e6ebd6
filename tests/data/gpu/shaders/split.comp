#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Results that are two numbers: modf, frexp and ldexp.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) writeonly buffer Out { T r[]; };
layout(binding = 2) writeonly buffer Exponents { int e[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  T whole;
  r[i] = modf(x[i], whole);
  r[64u + i] = whole;
  int exponent;
  r[128u + i] = frexp(x[i], exponent);
  e[i] = exponent;
  r[192u + i] = ldexp(x[i], int(i % 9u) - 4);
}
