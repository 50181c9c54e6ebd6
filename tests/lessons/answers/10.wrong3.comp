#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };
layout(binding = 2) buffer Count { uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (values[i] % 2u == 0u) result[atomicAdd(count, 1u)] = values[i];
}
