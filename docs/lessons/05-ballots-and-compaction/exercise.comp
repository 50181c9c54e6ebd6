// Exercise: store the even values of each subgroup one after another, in the order of lanes, from the
// element of its first lane on. Leave the other elements alone.

#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
  bool even = values[i] % 2u == 0u;
  uint first = i - lane;
  uvec4 ballot = subgroupBallot(even);
  uint rank = subgroupBallotInclusiveBitCount(ballot);  // change this line
  if (even) result[first + rank] = values[i];
}
