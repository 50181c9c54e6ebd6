#version 460
#extension GL_KHR_shader_subgroup_ballot : require
// Counts the lanes that hold, by asking for 64 bits whatever the subgroup size is.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uvec4 odd = subgroupBallot(numbers[i] % 2u == 1u);
  uint count = 0u;
  for (uint lane = 0u; lane < gl_SubgroupSize; ++lane)
    count += uint(subgroupBallotBitExtract(odd, lane));
  results[i] = count;
}
