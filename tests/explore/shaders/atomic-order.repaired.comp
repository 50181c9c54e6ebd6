#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
// A scan.
layout(local_size_x = 8) in;
layout(binding = 0) buffer Out { uint sum; uint before[]; };
void main() {
  uint lane = gl_SubgroupInvocationID;
  uint below = subgroupExclusiveAdd(lane + 1);
  uint all = subgroupAdd(lane + 1);
  uint base = 0;
  if (subgroupElect()) base = atomicAdd(sum, all);
  before[lane] = subgroupAdd(base) + below;
}
