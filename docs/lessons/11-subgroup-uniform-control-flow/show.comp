#version 460
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_EXT_subgroup_uniform_control_flow : require

layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer In { uint values[]; };
layout(binding = 1) buffer FreeSlot { uint free_slot; };
layout(binding = 2) writeonly buffer Data { uint data[]; };

void main() [[subgroup_uniform_control_flow]] {
  uint value = values[gl_GlobalInvocationID.x];
  bool needs = value % 2u == 0u;
  if (subgroupAny(needs)) {
    uvec4 mask = subgroupBallot(needs);
    uint base = 0u;
    uint size = subgroupBallotBitCount(mask);
    if (subgroupElect()) base = atomicAdd(free_slot, size);
    base = subgroupBroadcastFirst(base);
    base += subgroupBallotExclusiveBitCount(mask);
    if (needs) data[base] = value;
  }
}
