#version 460
#extension GL_KHR_shader_subgroup_rotate : require
#extension GL_KHR_shader_subgroup_shuffle : require
// Each row of eight numbers is rotated by its own number, so that columns become diagonals.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) writeonly buffer Out { uint skewed[]; };
void main() {
  uint all = gl_GlobalInvocationID.x, row = gl_SubgroupInvocationID / 8u;
  skewed[all] = subgroupClusteredRotate(numbers[all], row, 8u);  // BUG rotate-not-uniform undefined-shuffle
}
