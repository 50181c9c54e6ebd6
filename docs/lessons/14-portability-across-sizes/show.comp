#version 460
#extension GL_KHR_shader_subgroup_ballot : require

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Count { uint count; };

void main() {
  uvec4 ballot = subgroupBallot(values[gl_LocalInvocationIndex] % 2u == 0u);
  if (subgroupElect()) atomicAdd(count, uint(bitCount(ballot.x)));
}
