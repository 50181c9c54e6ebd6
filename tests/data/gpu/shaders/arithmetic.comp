#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Arithmetic that a compiler may fuse and rearrange, and the same where it may not.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) writeonly buffer Out { T r[]; };
layout(binding = 2) writeonly buffer Precise { T p[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  T a = x[i], b = x[i + 64u], c = x[i + 128u], d = x[i + 192u];
  r[i] = a * b + c;
  r[64u + i] = a * b + c * d;
  r[128u + i] = a * b + a * c;
  r[192u + i] = (a + b) - a;
  r[256u + i] = a - (a - b);
  r[320u + i] = a / b * b;
  r[384u + i] = a / T(3.0);
  r[448u + i] = a * a - b * b;
  r[512u + i] = (a + b) + (c + d);
  r[576u + i] = a * b * c * d;
  r[640u + i] = a / b;
  r[704u + i] = -a * b - c;
  precise T p0 = a * b + c, p1 = (a + b) - a, p2 = a - (a - b), p3 = a * b + c * d, p4 = (a + b) + (c + d),
            p5 = a * b * c * d;
  p[i] = p0;
  p[64u + i] = p1;
  p[128u + i] = p2;
  p[192u + i] = p3;
  p[256u + i] = p4;
  p[320u + i] = p5;
}
