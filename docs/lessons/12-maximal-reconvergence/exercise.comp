// Exercise: store how many lanes of the subgroup hold a value with the same remainder by 4. The loop is right
// if lanes rejoin where the source suggests it. Ask for that promise.

#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
  uint kind = values[i] % 4u;
  while (true) {
    if (kind == subgroupBroadcastFirst(kind)) {
      result[i] = subgroupBallotBitCount(subgroupBallot(true));
      break;
    }
  }
}
