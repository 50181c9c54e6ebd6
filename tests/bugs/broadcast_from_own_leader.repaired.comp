#version 460
#extension GL_KHR_shader_subgroup_shuffle : require
// Each half of the subgroup broadcasts from its own first lane.
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { uint numbers[]; };
void main() {
  uint all = gl_GlobalInvocationID.x;
  numbers[all] = subgroupShuffle(all, gl_SubgroupInvocationID & 16u);
}
