#version 450
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_EXT_subgroup_uniform_control_flow : enable

// The port of allocate.hpp.

layout(local_size_x = 128) in;

layout(std430, binding = 0) readonly buffer In { uint values[]; };
layout(std430, binding = 1) buffer FreeSlot { uint free_slot[]; };
layout(std430, binding = 2) writeonly buffer Data { uint data[]; };

void main() [[subgroup_uniform_control_flow]] {
  uint value = 1;
  if (gl_GlobalInvocationID.x < values.length()) {
    value = values[gl_GlobalInvocationID.x];
  }
  bool needs_space = value % 2 == 0;
  if (subgroupAny(needs_space)) {
    uvec4 mask = subgroupBallot(needs_space);
    uint size = subgroupBallotBitCount(mask);
    uint base = 0;
    if (subgroupElect()) {
      base = atomicAdd(free_slot[0], size);
    }
    base = subgroupBroadcastFirst(base);
    uint offset = subgroupBallotExclusiveBitCount(mask);
    if (needs_space) {
      data[base + offset] = value;
    }
  }
}
