#version 460
#extension GL_NV_compute_shader_derivatives : require

// Samples and queries whose level follows from the places in each quad.
layout(local_size_x = 8, local_size_y = 8) in;
layout(derivative_group_quadsNV) in;
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) readonly buffer In { vec2 at[]; };
layout(binding = 2) writeonly buffer Out { vec4 r[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  vec2 p = at[i] + vec2(gl_LocalInvocationID.xy) * STEP;
  r[i] = texture(image, p);
  r[i + 64u] = texture(image, p, 0.75);
  r[i + 128u] = vec4(textureQueryLod(image, p), 0.0, 0.0);
}
