#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };
shared uint totals[64];

void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
  uint first = gl_WorkGroupID.x * gl_WorkGroupSize.x, rank = 0u;
  bool even = values[i] % 2u == 0u;
  uvec4 ballot = subgroupBallot(even);
  if (subgroupElect()) totals[gl_SubgroupID] = subgroupBallotBitCount(ballot);
  barrier();
  for (uint k = 0u; k < gl_SubgroupID; ++k) rank += totals[k];
  if (even) result[first + rank + subgroupBallotExclusiveBitCount(ballot)] = values[i];
}
