#version 450
#extension GL_KHR_shader_subgroup_quad : enable

// The port of mip.hpp; the frame is the colour attachment.

layout(rgba32f, binding = 0) uniform readonly image2D in_color;
layout(rgba32f, binding = 1) uniform writeonly image2D low_res_frame;
layout(location = 0) out vec4 frame;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  ivec2 edge = imageSize(in_color) - ivec2(1);
  vec3 color = imageLoad(in_color, min(pixel, edge)).xyz;
  vec3 row = color + subgroupQuadSwapHorizontal(color);
  vec3 low_res = (row + subgroupQuadSwapVertical(row)) * 0.25;
  frame = vec4(color, 1.0);
  // The first lane of a quad is never a helper.
  if (gl_SubgroupInvocationID == subgroupQuadBroadcast(gl_SubgroupInvocationID, 0)) {
    imageStore(low_res_frame, pixel / 2, vec4(low_res, 1.0));
  }
}
