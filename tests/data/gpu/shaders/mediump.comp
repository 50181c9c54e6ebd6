#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// mediump: may be computed with 16 bits.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { float x[]; };
layout(binding = 1) writeonly buffer Out { float r[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  mediump float a = x[i], b = x[i + 64u];
  mediump float sum = a + b, product = a * b, root = sqrt(abs(a) + 0.5), mixed = a * b + a;
  r[i] = sum;
  r[64u + i] = product;
  r[128u + i] = root;
  r[192u + i] = mixed;
  mediump float wave = sin(a), power = exp(b);
  r[256u + i] = wave;
  r[320u + i] = power;
}
