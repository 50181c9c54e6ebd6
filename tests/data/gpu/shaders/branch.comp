#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Conditions that a rounding may change, and what lanes store under them: each only to its own elements.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) buffer Out { T r[]; };
layout(binding = 2) buffer Counts { uint n[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  T a = x[i], b = x[i + 64u];
  // A third of the lanes compare a number with itself, rounded otherwise.
  T left = a * T(3) + b, right = i % 3u == 0u ? fma(a, T(3), b) : b;
  if (left < right) {
    r[i] = a;
    n[2u * i + 1u] = i;
  } else if (left > right) {
    r[i + 64u] = b;
    n[2u * i] = 2u * i;
  }
  uint steps = 0u;
  for (T z = a; abs(z) < T(60) && steps < 20u; ++steps) z = z * z + b;
  n[i + 128u] = steps;
}
