// Exercise: store how many lanes of the subgroup hold a smaller value. The shader was written for 32 lanes.

#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require

layout(local_size_x = 96) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
  uint v = values[i], rank = 0u;
  for (uint k = 0u; k < 32u; ++k)
    if (subgroupShuffle(v, k) < v) ++rank;
  result[i] = rank;
}
