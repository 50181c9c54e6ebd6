#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// A function of three numbers.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) readonly buffer In2 { T y[]; };
layout(binding = 2) readonly buffer In3 { T z[]; };
layout(binding = 3) writeonly buffer Out { T r[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  T v = x[i];  // a variable, so that glslang declares the capability of the type
  r[i] = F(v, y[i], z[i]);
}
