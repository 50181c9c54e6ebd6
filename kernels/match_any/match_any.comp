#version 450
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_NV_shader_subgroup_partitioned : enable

// The port of match_any.hpp.

layout(local_size_x = 128) in;

layout(std430, binding = 0) readonly buffer Keys { uint keys[]; };
layout(std430, binding = 1) readonly buffer Values { uint values[]; };
layout(std430, binding = 2) buffer Sums { uint sums[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < keys.length()) {
    uint key = keys[i];
    uvec4 same = subgroupPartitionNV(key);
    uint sum = subgroupPartitionedAddNV(values[i], same);
    if (subgroupBallotFindLSB(same) == gl_SubgroupInvocationID) {
      atomicAdd(sums[key], sum);
    }
  }
}
