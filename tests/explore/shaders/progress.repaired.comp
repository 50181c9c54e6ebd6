#version 450
#extension GL_KHR_shader_subgroup_basic : enable
// The workgroup waits for itself at a barrier.
layout(local_size_x = 16) in;
layout(binding = 0) buffer Out { uint seen[]; };
shared uint ready;
void main() {
  if (gl_LocalInvocationIndex == 0) ready = 0;
  barrier();
  if (gl_SubgroupID != 0) atomicExchange(ready, 1u);
  barrier();
  if (gl_SubgroupID == 0) seen[gl_SubgroupInvocationID] = atomicAdd(ready, 0u);
}
