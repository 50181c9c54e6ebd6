#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
// The nearest distance of a subgroup whose distances are all 0 / 0.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float distance = float(numbers[i] / 128u) / float(numbers[i] / 64u);
  float nearest = subgroupMin(distance);  // FROM
  results[i] = floatBitsToUint(nearest);  // BUG all-nan
}
