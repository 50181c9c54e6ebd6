#version 450
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_shuffle : enable

// The port of shuffle_blend.hpp.

layout(local_size_x = 128) in;

layout(std430, binding = 0) readonly buffer Index { uint index[]; };
layout(std430, binding = 1) readonly buffer X { vec4 x[]; };
layout(std430, binding = 2) readonly buffer BlendFactor { float blend_factor[]; };
layout(std430, binding = 3) writeonly buffer Data { vec4 data[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < index.length()) {
    uint lanes = subgroupBallotBitCount(subgroupBallot(true));
    vec4 mine = x[i];
    vec4 blend_with = subgroupShuffle(mine, index[i] % lanes);
    data[i] = mix(mine, blend_with, blend_factor[i]);
  }
}
