#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require
// The totals of subgroups are kept by their numbers.
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) writeonly buffer Out { uint sums[]; };
shared uint totals[128];
void main() {
  uint i = gl_LocalInvocationIndex, all = gl_GlobalInvocationID.x;
  totals[i] = 0u;
  barrier();
  uint total = subgroupAdd(numbers[all]);
  uint place = gl_SubgroupID;
  if (subgroupElect()) totals[place] = total;
  barrier();
  uint sum = 0u;
  for (uint k = 0u; k < 128u; ++k) sum += totals[k];
  sums[all] = sum;
}
