#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable

// The port of ScanWorkgroupTotals in prefix_sum.hpp: one subgroup scans the workgroups' totals.

layout(local_size_x = 128) in;

layout(std430, binding = 0) buffer WorkgroupTotals { uint workgroup_totals[]; };

void main() {
  if (gl_SubgroupID != 0) return;
  uint carry = 0;
  for (uint first = 0; first < workgroup_totals.length(); first += gl_SubgroupSize) {
    uint k = first + gl_SubgroupInvocationID;
    if (k < workgroup_totals.length()) {
      // GLSL has no atomic load; a compare-and-swap of 0 with 0 reads and changes nothing.
      uint total = atomicCompSwap(workgroup_totals[k], 0, 0);
      uint sum = carry + subgroupInclusiveAdd(total);
      atomicExchange(workgroup_totals[k], sum);
      carry = subgroupBroadcast(sum, subgroupBallotFindMSB(subgroupBallot(true)));
    }
  }
}
