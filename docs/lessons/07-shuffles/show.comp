#version 460
#extension GL_KHR_shader_subgroup_shuffle : require

layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };

void main() {
  uint i = gl_LocalInvocationIndex, sum = values[i];
  for (uint mask = 1u; mask < gl_SubgroupSize; mask *= 2u) sum += subgroupShuffleXor(sum, mask);
  result[i] = sum;
}
