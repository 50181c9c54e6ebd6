#version 460
#extension GL_KHR_shader_subgroup_shuffle_relative : require
// Keeps the first of equal neighbours, and compares the first lane with one that is not there.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint before = subgroupShuffleUp(numbers[i] / 3u, 1u);
  if (gl_SubgroupInvocationID == 0u) before = i > 0u ? numbers[i - 1u] / 3u : ~0u;
  if (before != numbers[i] / 3u)
    results[i] = 1u;
}
