#version 460
#extension GL_KHR_shader_subgroup_basic : require
// The elected lane is to note how many rounds there were, but lanes leave the loop one after another, so that another
// lane is elected each time, and nothing orders their stores.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) writeonly buffer Out { uint rounds[]; };
void main() {
  uint group = gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID;
  for (uint k = 0u; k <= numbers[gl_SubgroupInvocationID] % 4u; ++k) {
    if (subgroupElect()) rounds[group] = k + 1u;  // BUG lockstep-exchange
  }
}
