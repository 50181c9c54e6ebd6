#version 460
#extension GL_NV_compute_shader_derivatives : require

// All derivatives of a random number and of the place of each invocation.
#ifdef LINEAR
layout(local_size_x = 64) in;
layout(derivative_group_linearNV) in;
#else
layout(local_size_x = 8, local_size_y = 8) in;
layout(derivative_group_quadsNV) in;
#endif
layout(binding = 0) readonly buffer In { float x[]; };
layout(binding = 1) writeonly buffer Out { float r[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  float v = x[i];
  float results[10] = float[](dFdx(v), dFdy(v), fwidth(v), dFdxFine(v), dFdyFine(v), fwidthFine(v), dFdxCoarse(v),
                              dFdyCoarse(v), fwidthCoarse(v), dFdx(float(i) * float(i)));
  for (int k = 0; k < 10; ++k) r[10u * i + uint(k)] = results[k];
}
