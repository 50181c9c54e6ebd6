#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
// 1 + 1e8 - 1e8 + 1 + ... is rounded after each addition.
layout(local_size_x = 8) in;
layout(binding = 0) buffer Out { float sum[]; };
void main() {
  uint lane = gl_SubgroupInvocationID;
  float value = lane == 1 ? 1e8 : lane == 2 ? -1e8 : 1.0;
  sum[lane] = subgroupAdd(value);
}
