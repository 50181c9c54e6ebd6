#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 20) in;
layout(binding = 0) buffer Size { uint size[]; };
layout(binding = 1) buffer Lanes { uint lanes[]; };

void main() {
  size[gl_SubgroupID] = gl_SubgroupSize;
  lanes[gl_SubgroupID] = subgroupAdd(1u);
}
