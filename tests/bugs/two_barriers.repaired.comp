#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint numbers[]; };
shared uint tile[32];
void main() {
  uint i = gl_LocalInvocationIndex;
  if (gl_SubgroupID == 0) tile[i] = numbers[gl_GlobalInvocationID.x];
  barrier();
  if (gl_SubgroupID == 1) numbers[gl_GlobalInvocationID.x] = tile[i - 32u];
}
