#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable

// The port of ScanWorkgroups in prefix_sum.hpp: scans each workgroup's part of `values` and publishes
// its total.

layout(local_size_x = 1024) in;

layout(std430, binding = 0) readonly buffer In { uint values[]; };
layout(std430, binding = 1) writeonly buffer Out { uint sums[]; };
layout(std430, binding = 2) buffer WorkgroupTotals { uint workgroup_totals[]; };

shared uint subgroup_totals[1024];

uint highest_active() { return subgroupBallotFindMSB(subgroupBallot(true)); }

void scan_totals() {
  uint carry = 0;
  for (uint first = 0; first < gl_NumSubgroups; first += gl_SubgroupSize) {
    uint k = first + gl_SubgroupInvocationID;
    if (k < gl_NumSubgroups) {
      uint sum = carry + subgroupInclusiveAdd(subgroup_totals[k]);
      subgroup_totals[k] = sum;
      carry = subgroupBroadcast(sum, highest_active());
    }
  }
  if (subgroupElect()) {
    atomicExchange(workgroup_totals[gl_WorkGroupID.x], carry);
  }
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint value = i < values.length() ? values[i] : 0;
  uint sum = subgroupInclusiveAdd(value);
  if (gl_SubgroupInvocationID == highest_active()) {
    subgroup_totals[gl_SubgroupID] = sum;
  }
  barrier();
  if (gl_SubgroupID == 0) {
    scan_totals();
  }
  barrier();
  if (i < sums.length()) {
    sums[i] = gl_SubgroupID == 0 ? sum : sum + subgroup_totals[gl_SubgroupID - 1];
  }
}
