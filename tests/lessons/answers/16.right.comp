#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };
shared uint kept[64];

void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
  uint first = gl_WorkGroupID.x * gl_WorkGroupSize.x, own = gl_LocalInvocationIndex, rank = 0u;
  kept[own] = values[i] % 2u == 0u ? 1u : 0u;
  barrier();
  for (uint k = 0u; k < own; ++k) rank += kept[k];
  if (kept[own] == 1u) result[first + rank] = values[i];
}
