#version 460
#extension GL_NV_compute_shader_derivatives : require

// A texture function whose level follows from the quad, at a place p of each lane.
layout(local_size_x = 64) in;
layout(derivative_group_linearNV) in;
layout(binding = 0) uniform SAMPLER image;
layout(binding = 1) readonly buffer In { vec4 at[]; };
layout(binding = 2) writeonly buffer Out { vec4 r[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  vec4 p = at[i];
  r[i] = vec4(CALL);
}
