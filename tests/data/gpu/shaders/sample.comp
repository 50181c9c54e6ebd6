#version 460

layout(local_size_x = 64) in;
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) readonly buffer In { vec2 at[]; };
layout(binding = 2) writeonly buffer Out { vec4 r[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  r[i] = textureLod(image, at[i], 0.0);
}
