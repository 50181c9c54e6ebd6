#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Geometric functions of vectors of three.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) writeonly buffer Out { T r[]; };
void put(uint k, V v) {
  uint at = (k * 64u + gl_LocalInvocationIndex) * 3u;
  r[at] = v.x;
  r[at + 1u] = v.y;
  r[at + 2u] = v.z;
}
void main() {
  uint i = gl_LocalInvocationIndex;
  V a = V(x[i], x[i + 1u], x[i + 2u]), b = V(x[i + 3u], x[i + 64u], x[i + 65u]);
  put(0u, V(length(a), distance(a, b), dot(a, b)));
  put(1u, normalize(a));
  put(2u, cross(a, b));
  put(3u, reflect(a, b));
  put(4u, faceforward(a, b, V(x[i + 66u])));
  put(5u, refract(normalize(a), normalize(b), T(0.5)));
}
