// Exercise: store the even values of the subgroups with an odd gl_SubgroupID, each in a slot of its own, with
// one atomic for each subgroup. The shader asks for subgroup-uniform control flow.

#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_EXT_subgroup_uniform_control_flow : require

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };
layout(binding = 2) buffer Count { uint count; };

void main() [[subgroup_uniform_control_flow]] {
  uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
  if (gl_SubgroupID % 2u == 0u) return;
  if (values[i] % 2u == 0u) {  // change this condition, and what depends on it
    uvec4 ballot = subgroupBallot(true);
    uint base = 0u;
    if (subgroupElect()) base = atomicAdd(count, subgroupBallotBitCount(ballot));
    base = subgroupBroadcastFirst(base);
    result[base + subgroupBallotExclusiveBitCount(ballot)] = values[i];
  }
}
