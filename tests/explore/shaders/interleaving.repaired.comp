#version 450
#extension GL_KHR_shader_subgroup_basic : enable
// One step.
layout(local_size_x = 16) in;
layout(binding = 0) buffer Out { uint counter; };
void main() {
  if (subgroupElect()) atomicAdd(counter, 1u);
}
