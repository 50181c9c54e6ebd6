#version 460
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_NV_shader_subgroup_partitioned : require
// Even numbers are to be added up apart from odd ones; the masks are those of the lanes that follow.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) writeonly buffer Out { uint totals[]; };
void main() {
  uint all = gl_GlobalInvocationID.x, value = numbers[all];
  uvec4 same = subgroupBallot(value % 2u == 0u) & gl_SubgroupGeMask;
  uint total = subgroupPartitionedAddNV(value, same);  // FROM
  totals[all] = total;                                 // BUG partition-invalid
}
