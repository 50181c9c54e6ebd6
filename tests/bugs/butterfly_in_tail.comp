#version 460
#extension GL_KHR_shader_subgroup_shuffle : require
// A butterfly sum in a branch that the last invocations do not take: partners are missing.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  const uint count = 250u;
  if (i < count) {
    uint sum = numbers[i];
    for (uint by = 1u; by < gl_SubgroupSize; by *= 2u) sum += subgroupShuffleXor(sum, by);  // FROM
    results[i] = sum;  // BUG undefined-shuffle
  }
}
