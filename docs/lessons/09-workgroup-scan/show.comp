#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };
shared uint totals[16];

void main() {
  uint i = gl_LocalInvocationIndex;
  uint sum = subgroupInclusiveAdd(values[i]);
  uint total = subgroupAdd(values[i]);
  if (subgroupElect()) totals[gl_SubgroupID] = total;
  barrier();
  for (uint k = 0u; k < gl_SubgroupID; ++k) sum += totals[k];
  result[i] = sum;
}
