#version 450
#extension GL_KHR_shader_subgroup_basic : enable
// Subgroup 0 waits in a loop for subgroup 1, which need not run until it is done.
layout(local_size_x = 16) in;
layout(binding = 0) buffer Out { uint seen[]; };
shared uint ready;
void main() {
  if (gl_LocalInvocationIndex == 0) ready = 0;
  barrier();
  if (gl_SubgroupID == 0) {
    while (atomicAdd(ready, 0u) == 0u) {}
    seen[gl_SubgroupInvocationID] = 1;
  } else {
    atomicExchange(ready, 1u);
  }
  barrier();
}
