#version 460

// One texture function on an image, at a place p of each lane.
layout(local_size_x = 64) in;
layout(binding = 0) uniform SAMPLER image;
layout(binding = 1) readonly buffer In { vec4 at[]; };
layout(binding = 2) writeonly buffer Out { vec4 r[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  vec4 p = at[i];
  r[i] = vec4(CALL);
}
