#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { uint data[]; };
void main() {
  uint value = gl_GlobalInvocationID.x;
  if (value % 2u == 0u) value = subgroupAdd(value);
  data[gl_GlobalInvocationID.x] = value;
}
