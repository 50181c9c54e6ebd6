#version 450
#extension GL_KHR_shader_subgroup_ballot : enable

// The port of compact.hpp.

layout(local_size_x = 128) in;

layout(std430, binding = 0) readonly buffer Objects { int objects[]; };
layout(std430, binding = 1) buffer Counter { uint counter[]; };
layout(std430, binding = 2) writeonly buffer Out { int kept[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < objects.length()) {
    int object = objects[i];
    bool should_add = object >= 0;
    uvec4 mask = subgroupBallot(should_add);
    uint count = subgroupBallotBitCount(mask);
    uint first = 0;
    if (subgroupElect()) {
      first = atomicAdd(counter[0], count);
    }
    uint base = subgroupBroadcastFirst(first);
    uint position = base + subgroupBallotExclusiveBitCount(mask);
    if (should_add) {
      kept[position] = object;
    }
  }
}
