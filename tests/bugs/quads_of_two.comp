#version 460
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_shuffle : require
// SIZE 2: neighbours are compared by quads, on a device whose subgroups have two lanes.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) writeonly buffer Out { uint differences[]; };
void main() {
  uint all = gl_GlobalInvocationID.x;
  uint other = subgroupQuadSwapHorizontal(numbers[all]);  // BUG quad-size
  differences[all] = other - numbers[all];
}
