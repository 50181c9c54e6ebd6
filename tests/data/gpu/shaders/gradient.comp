#version 460

// The same with two steps, x and y.
layout(local_size_x = 64) in;
layout(binding = 0) uniform SAMPLER image;
layout(binding = 1) readonly buffer In { vec4 at[]; };
layout(binding = 2) writeonly buffer Out { vec4 r[]; };
layout(binding = 3) readonly buffer Steps { vec4 steps[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  vec4 p = at[i], x = steps[i], y = steps[i + 64u];
  r[i] = vec4(textureGrad(image, p.AXES, x.AXES, y.AXES));
}
