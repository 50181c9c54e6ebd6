#version 460
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
  uint sum = 0u, last = subgroupMax(lane);
  for (uint d = 1u; d < gl_SubgroupSize; ++d) {
    uint above = subgroupShuffleDown(values[i], d);
    if (lane + d <= last) sum += above;
  }
  result[i] = sum;
}
