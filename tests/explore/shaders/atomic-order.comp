#version 450
#extension GL_KHR_shader_subgroup_basic : enable
// A scan, if the lanes of an atomic come in their order.
layout(local_size_x = 8) in;
layout(binding = 0) buffer Out { uint sum; uint before[]; };
void main() {
  uint lane = gl_SubgroupInvocationID;
  before[lane] = atomicAdd(sum, lane + 1);
}
