#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };
shared uint totals[64];

void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
  uint sum = subgroupInclusiveAdd(values[i]);
  uint last = subgroupBallotFindMSB(subgroupBallot(true));
  if (lane == last) totals[gl_SubgroupID] = sum;
  barrier();
  for (uint k = 0u; k < gl_SubgroupID; ++k) sum += totals[k];
  result[i] = sum;
}
