// Exercise: count how often each value can be halved until it is odd (0 times for 0), and store in
// all lanes the sum of these counts over the subgroup.

#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
  uint v = values[i], steps = 0u;
  if (v == 0u) {
    result[i] = 0u;
    return;  // this lane takes no part in the sum, and gets none
  }
  for (; v % 2u == 0u; v /= 2u) ++steps;
  result[i] = subgroupAdd(steps);
}
