#version 450
#extension GL_KHR_shader_subgroup_clustered : enable

// The port of max_pool.hpp.

layout(local_size_x = 128) in;

layout(r16f, binding = 0) uniform readonly image3D in_image;
layout(r16f, binding = 1) uniform writeonly image3D out_image;

void main() {
  uint clusters = gl_WorkGroupSize.x / 16;
  uint out_x = gl_WorkGroupID.x * clusters + gl_LocalInvocationIndex / 16;
  if (out_x < imageSize(out_image).x) {
    uint x = out_x * 4 + gl_SubgroupInvocationID % 4;
    uint y = gl_WorkGroupID.y * 4 + gl_SubgroupInvocationID / 4 % 4;
    uint z = gl_WorkGroupID.z;
    float texel = imageLoad(in_image, ivec3(x, y, z)).x;
    float largest = subgroupClusteredMax(texel, 16);
    if (gl_SubgroupInvocationID % 16 == 0) {
      imageStore(out_image, ivec3(out_x, gl_WorkGroupID.y, z), vec4(largest));
    }
  }
}
