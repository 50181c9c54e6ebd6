#version 460
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require
// Subgroups announce how many invocations they bring; each of these signs off. None should be left.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) writeonly buffer Out { uint left_over[]; };
shared uint left;
void main() {
  if (gl_LocalInvocationIndex == 0u) left = numbers[0];
  barrier();
  uint count = gl_SubgroupSize;  // BUG size-as-count
  if (subgroupElect()) atomicAdd(left, count);
  barrier();
  atomicAdd(left, ~0u);
  barrier();
  left_over[gl_GlobalInvocationID.x] = left;
}
