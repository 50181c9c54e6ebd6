#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// A Fourier transform of eight points in each eight lanes, by shuffles.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { vec2 x[]; };
layout(binding = 1) writeonly buffer Out { vec2 r[]; };
vec2 times(vec2 a, vec2 b) { return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
void main() {
  uint i = gl_LocalInvocationIndex, lane = gl_SubgroupInvocationID;
  vec2 v = x[i];
  for (uint half_size = SPAN / 2u; half_size > 0u; half_size /= 2u) {
    vec2 other = subgroupShuffleXor(v, half_size);
    bool upper = (lane & half_size) != 0u;
    vec2 sum = upper ? other - v : v + other;
    float angle = -3.14159265 * float(lane % half_size) / float(half_size);
    v = upper ? times(sum, vec2(cos(angle), sin(angle))) : sum;
  }
  r[i] = v;
}
