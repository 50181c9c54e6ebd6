#version 460
#extension GL_KHR_shader_subgroup_shuffle_relative : require

layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uint above = subgroupShuffleDown(values[i], 1u);
  result[i] = gl_SubgroupInvocationID + 1u < gl_SubgroupSize ? above : 0u;
  result[i] += above;
}
