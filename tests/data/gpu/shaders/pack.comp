#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Packing and unpacking.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { float x[]; };
layout(binding = 1) readonly buffer Bits { uint b[]; };
layout(binding = 2) writeonly buffer Packed { uint p[]; };
layout(binding = 3) writeonly buffer Unpacked { float u[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  vec4 v = vec4(x[i], x[i + 1u], x[i + 2u], x[i + 3u]);
  p[i] = packHalf2x16(v.xy * 100.0);
  p[64u + i] = packUnorm2x16(v.xy);
  p[128u + i] = packSnorm2x16(v.xy);
  p[192u + i] = packUnorm4x8(v);
  p[256u + i] = packSnorm4x8(v);
  vec4 un = unpackUnorm4x8(b[i]), sn = unpackSnorm4x8(b[i]);
  vec2 half2 = unpackHalf2x16(b[i] & 0xbfffbfffu), un2 = unpackUnorm2x16(b[i]), sn2 = unpackSnorm2x16(b[i]);
  u[i] = un.x;
  u[64u + i] = un.w;
  u[128u + i] = sn.y;
  u[192u + i] = half2.x;
  u[256u + i] = half2.y;
  u[320u + i] = un2.x;
  u[384u + i] = sn2.y;
}
