#version 460

// Arrays of buffers, images and samplers, each used by one workgroup.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { float x[]; } parts[2];
layout(binding = 1) uniform texture2D images[2];
layout(binding = 2) uniform sampler samplers[2];
layout(binding = 3) buffer Out { vec4 r[]; } results[2];
void main() {
  uint i = gl_GlobalInvocationID.x, k = gl_WorkGroupID.x, lane = gl_LocalInvocationIndex;
  vec2 at = vec2(parts[k].x[lane], parts[1].x[lane]);
  results[0].r[i] = textureLod(sampler2D(images[k], samplers[1]), at, 0.0);
  results[1].r[i] = textureLod(sampler2D(images[0], samplers[k]), at, 0.0);
}
