#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Atomics of buffers and shared memory.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) buffer Totals { T total[]; };
layout(binding = 2) writeonly buffer Out { T r[]; };
shared T s[4];
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i < 4u) s[i] = T(0);
  barrier();
  T v = x[gl_GlobalInvocationID.x];
  atomicAdd(s[i % 4u], v);
  barrier();
  if (i < 4u) atomicAdd(total[i], s[i]);
  atomicMin(total[4], v);
  atomicMax(total[5], v);
  atomicAnd(total[6], v | T(0x50));
  atomicOr(total[7], v & T(0x33));
  atomicXor(total[8], v);
  r[gl_GlobalInvocationID.x] = atomicAdd(total[9], T(1));
  atomicCompSwap(total[10], T(0), T(5));
}
