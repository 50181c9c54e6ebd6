#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// What formats make of numbers: stored, and read again by the same lane.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { float x[]; };
layout(binding = 1, FORMAT) uniform image2D image;
layout(binding = 2) writeonly buffer Back { vec4 back[]; };
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  uint i = 8u * gl_GlobalInvocationID.y + gl_GlobalInvocationID.x;
  imageStore(image, at, vec4(x[i], x[i + 64u], x[i] * x[i + 64u], 1.0));
  back[i] = imageLoad(image, at);
}
