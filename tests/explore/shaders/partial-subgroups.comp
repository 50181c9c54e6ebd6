#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
// Adds the sums of all subgroups, as many as there are if each is full.
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint total[]; };
shared uint sums[64];
void main() {
  uint sum = subgroupAdd(gl_LocalInvocationIndex);
  if (subgroupElect()) sums[gl_SubgroupID] = sum;
  barrier();
  uint all = 0;
  for (uint s = 0; s < gl_WorkGroupSize.x / gl_SubgroupSize; ++s) all += sums[s];
  total[gl_LocalInvocationIndex] = all;
}
