#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Images: texels read, converted and written.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, FORMAT) readonly uniform IMAGE source;
layout(binding = 1, FORMAT) writeonly uniform IMAGE result;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  VEC4 v = imageLoad(source, at);
  imageStore(result, ivec2(at.y, at.x), v.wxyz + v);
}
