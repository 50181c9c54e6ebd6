#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require

layout(local_size_x = 96) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
  uint v = values[i], rank = 0u;
  uvec4 there = subgroupBallot(true);
  for (uint k = 0u; k < gl_SubgroupSize; ++k) {
    uint other = subgroupShuffle(v, k);
    if (subgroupBallotBitExtract(there, k)) rank += other < v ? 1u : 0u;
  }
  result[i] = rank;
}
