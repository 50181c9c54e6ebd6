#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
// Integers are not rounded.
layout(local_size_x = 8) in;
layout(binding = 0) buffer Out { float sum[]; };
void main() {
  uint lane = gl_SubgroupInvocationID;
  int value = lane == 1 ? 100000000 : lane == 2 ? -100000000 : 1;
  sum[lane] = float(subgroupAdd(value));
}
