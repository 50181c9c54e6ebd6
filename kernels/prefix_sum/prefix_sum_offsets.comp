#version 450
#extension GL_KHR_shader_subgroup_ballot : enable

// The port of AddWorkgroupOffsets in prefix_sum.hpp: adds to each part the sum of all before it.

layout(local_size_x = 1024) in;

layout(std430, binding = 0) buffer WorkgroupTotals { uint workgroup_totals[]; };
layout(std430, binding = 1) buffer Out { uint sums[]; };

void main() {
  if (gl_WorkGroupID.x == 0) return;
  uint before = 0;
  if (subgroupElect()) {
    before = atomicCompSwap(workgroup_totals[gl_WorkGroupID.x - 1], 0, 0);
  }
  before = subgroupBroadcastFirst(before);
  if (gl_GlobalInvocationID.x < sums.length()) {
    sums[gl_GlobalInvocationID.x] += before;
  }
}
