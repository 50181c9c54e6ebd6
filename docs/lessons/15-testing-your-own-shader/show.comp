#version 460
#extension GL_KHR_shader_subgroup_shuffle_relative : require

layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint below = subgroupShuffleUp(values[i], 1u);
  result[i] = values[i];
  if (gl_SubgroupInvocationID > 0u) result[i] -= below;
}
