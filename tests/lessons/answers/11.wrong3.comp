#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };
layout(binding = 2) buffer Count { uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
  if (gl_SubgroupID % 2u == 0u) return;
  bool even = values[i] % 2u == 0u;
  if (subgroupAny(even)) {
    uvec4 ballot = subgroupBallot(even);
    uint base = 0u;
    if (subgroupElect()) base = atomicAdd(count, subgroupBallotBitCount(ballot));
    base = subgroupBroadcastFirst(base);
    if (even) result[base + subgroupBallotExclusiveBitCount(ballot)] = values[i];
  }
}
