#version 460
#extension GL_KHR_shader_subgroup_quad : require
// A lane of a quad asks for its right neighbour with a broadcast.
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { uint numbers[]; };
void main() {
  uint all = gl_GlobalInvocationID.x;
  numbers[all] = subgroupQuadSwapHorizontal(all);
}
