#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable

// The port of ScanCounts in radix_sort.hpp: replaces each count by the sum of those before it.

layout(local_size_x = 128) in;

layout(std430, binding = 0) buffer Counts { uint counts[]; };

void main() {
  if (gl_SubgroupID != 0) return;
  uint carry = 0;
  for (uint first = 0; first < counts.length(); first += gl_SubgroupSize) {
    uint k = first + gl_SubgroupInvocationID;
    if (k < counts.length()) {
      uint count = counts[k];
      uint sum = carry + subgroupInclusiveAdd(count);
      counts[k] = sum - count;
      carry = subgroupBroadcast(sum, subgroupBallotFindMSB(subgroupBallot(true)));
    }
  }
}
