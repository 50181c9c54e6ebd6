// Exercise: store each value minus the value of the lane below. The first lane stores its own value.

#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
  uint v = values[i];
  result[i] = v - subgroupShuffleUp(v, 1u);  // what does lane 0 get?
}
