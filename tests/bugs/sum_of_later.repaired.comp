#version 460
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_NV_shader_subgroup_partitioned : require
// Even numbers are to be added up apart from odd ones.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) writeonly buffer Out { uint totals[]; };
void main() {
  uint all = gl_GlobalInvocationID.x, value = numbers[all];
  uvec4 same = subgroupPartitionNV(value % 2u);
  uint total = subgroupPartitionedAddNV(value, same);
  totals[all] = total;
}
