#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
// The nearest distance of a subgroup whose distances are all 0 / 0.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float distance = float(numbers[i] / 128u) / max(float(numbers[i] / 64u), 1.0);
  float nearest = subgroupMin(distance);
  results[i] = floatBitsToUint(nearest);
}
