#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uint first = subgroupExclusiveAdd(values[i]);  // where the elements of this lane start
  result[i] = first;
}
