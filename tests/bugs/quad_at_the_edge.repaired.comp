#version 460
#extension GL_KHR_shader_subgroup_quad : require
// A difference in a quad, in a branch that leaves out the last column of a picture of odd width.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint right = subgroupQuadSwapHorizontal(numbers[i]);
  if (i < 199u) results[i] = i == 198u ? numbers[i] : right;
}
