#version 460
#extension GL_KHR_shader_subgroup_shuffle_relative : require
// Differences of neighbours, of which the first in a subgroup has none.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint mine = numbers[i];
  uint before = subgroupShuffleUp(mine, 1u);  // FROM
  results[i] = mine - before;                 // BUG shuffle-past-edge
}
