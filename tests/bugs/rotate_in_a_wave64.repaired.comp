#version 460
#extension GL_KHR_shader_subgroup_rotate : require
// Rows of 16 texels, which fit every subgroup of that size or more.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint texels[]; };
layout(binding = 1) writeonly buffer Out { uint turned[]; };
void main() {
  uint all = gl_GlobalInvocationID.x;
  turned[all] = subgroupClusteredRotate(texels[all], 1u, 16u);
}
