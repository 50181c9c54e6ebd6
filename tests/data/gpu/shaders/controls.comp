#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_spirv_intrinsics : require
#include "types.glsl"

// Arithmetic under an execution mode of SPV_KHR_float_controls: MODE, its CAPABILITY, and the BITS of the type.
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [CAPABILITY], MODE, BITS);
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) writeonly buffer Out { T r[]; };
layout(binding = 2) writeonly buffer Tests { uint t[]; };
void main() {
  uint i = gl_LocalInvocationIndex, n = uint(x.length());
  T a = x[i % n], b = x[(i * 7u + i / 16u + 3u) % n], c = x[(i * 5u + 1u) % n];
  precise T sum = a + b, difference = a - b, product = a * c, quotient = a / b, both = a * b + c, half_ = a * T(0.75);
  r[i] = sum;
  r[64u + i] = difference;
  r[128u + i] = product;
  r[192u + i] = quotient;
  r[256u + i] = both;
  r[320u + i] = half_;
  r[384u + i] = a + c;
  r[448u + i] = (a + c) - b;
  r[512u + i] = -a;
  r[576u + i] = abs(a);
  r[640u + i] = min(a, b);
  r[704u + i] = max(a, b);
  r[768u + i] = subgroupMax(a);
  r[832u + i] = subgroupAdd(a);
  t[i] = uint(a < b) | uint(a == T(0)) << 1 | uint(a != c) << 2 | uint(a >= b) << 3 | uint(isnan(a)) << 4 | uint(isinf(a)) << 5;
}
