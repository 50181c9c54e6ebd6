#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// The bit functions of 32-bit integers.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint x[]; };
layout(binding = 1) writeonly buffer Out { uint r[]; };
uint at = 0u;
void put(uint value) {
  r[at * 64u + gl_LocalInvocationIndex] = value;
  ++at;
}
void main() {
  uint i = gl_LocalInvocationIndex;
  uint a = x[i], b = x[i + 64u];
  int s = int(a), t = int(b);
  put(uint(bitCount(a)));
  put(uint(findLSB(a)));
  put(uint(findMSB(a)));
  put(uint(findMSB(s)));
  put(bitfieldReverse(a));
  put(bitfieldExtract(a, int(i % 20u), int(i % 12u) + 1));
  put(uint(bitfieldExtract(s, int(i % 20u), int(i % 12u) + 1)));
  put(bitfieldInsert(a, b, int(i % 20u), int(i % 12u)));
  uint high, low, carry, borrow;
  umulExtended(a, b, high, low);
  put(high ^ low * 3u);
  int shigh, slow;
  imulExtended(s, t, shigh, slow);
  put(uint(shigh) ^ uint(slow) * 3u);
  put(uaddCarry(a, b, carry) ^ carry);
  put(usubBorrow(a, b, borrow) ^ borrow * 7u);
  put(a % (b | 1u));
  put(uint(sign(s)) ^ uint(abs(t)));
}
