#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Conversions between types.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Floats { float f[]; };
layout(binding = 1) readonly buffer Ints { int n[]; };
layout(binding = 2) writeonly buffer OutF { float rf[]; };
layout(binding = 3) writeonly buffer OutI { int ri[]; };
layout(binding = 4) writeonly buffer OutD { double rd[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  rf[i] = float(n[i]);
  rf[64u + i] = float(uint(n[i]));
  rf[128u + i] = float(float16_t(f[i]));
  rf[192u + i] = float(int64_t(n[i]) * 77777777L);
  rf[256u + i] = float(float16_t(n[i] >> 12));
  rf[320u + i] = intBitsToFloat(floatBitsToInt(f[i]) ^ 1);
  ri[i] = int(f[i]);
  ri[64u + i] = int(uint(abs(f[i])));
  ri[128u + i] = int(int8_t(n[i])) + int(uint16_t(n[i]));
  ri[192u + i] = int(int16_t(float16_t(f[i])));
  rd[i] = double(f[i]) + double(n[i]);
  rd[64u + i] = double(n[i]) / 3.0lf;
}
