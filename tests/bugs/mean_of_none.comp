#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
// The mean of the numbers that pass a test; in some subgroups none does.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  bool passes = numbers[i] < 40u;
  uint sum = subgroupAdd(passes ? numbers[i] : 0u), count = subgroupAdd(passes ? 1u : 0u);
  uint mean = sum / count;  // FROM
  results[i] = mean;        // BUG division-by-zero
}
