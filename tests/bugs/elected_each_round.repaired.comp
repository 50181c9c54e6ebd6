#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// All lanes tell how many rounds they had, and one that was elected once notes the most of them.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) writeonly buffer Out { uint rounds[]; };
void main() {
  uint group = gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID;
  uint most = subgroupMax(numbers[gl_SubgroupInvocationID] % 4u) + 1u;
  if (subgroupElect()) rounds[group] = most;
}
