#version 450
#extension GL_KHR_shader_subgroup_basic : enable
// Each subgroup adds to the counter in two steps; none sees the other between them if they run one after another.
layout(local_size_x = 16) in;
layout(binding = 0) buffer Out { uint counter; };
void main() {
  if (subgroupElect()) {
    uint before = atomicAdd(counter, 0u);
    atomicExchange(counter, before + 1u);
  }
}
