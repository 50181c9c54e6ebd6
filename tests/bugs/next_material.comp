#version 460
#extension GL_KHR_shader_subgroup_ballot : require
// Takes the next material of a subgroup's list, and takes one more after the last.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uvec4 left = subgroupBallot(numbers[i] % 8u == 7u);
  uint sum = 0u;
  for (uint turn = 0u; turn < 5u; ++turn) {
    uint lane = subgroupBallotFindLSB(left);  // FROM
    sum += lane;
    left.x &= left.x - 1u;
  }
  results[i] = sum;  // BUG find-in-empty-ballot
}
