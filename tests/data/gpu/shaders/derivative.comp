#version 460
#extension GL_NV_compute_shader_derivatives : require

// Derivatives in quads: of either row and column, of the own ones, and of the quad.
layout(local_size_x = 8, local_size_y = 8) in;
layout(QUADS) in;
layout(binding = 0) readonly buffer In { float x[]; };
layout(binding = 1) writeonly buffer Out { float r[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  float v = x[i];
  r[i] = dFdx(v);
  r[64u + i] = dFdy(v);
  r[128u + i] = dFdxFine(v);
  r[192u + i] = dFdyFine(v);
  r[256u + i] = dFdxCoarse(v);
  r[320u + i] = dFdyCoarse(v);
  r[384u + i] = fwidth(v);
  r[448u + i] = fwidthFine(v);
  r[512u + i] = fwidthCoarse(v);
}
