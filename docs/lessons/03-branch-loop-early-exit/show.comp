#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 8) in;
layout(binding = 0) buffer Result { uint result[]; };

void main() {
  uint lane = gl_SubgroupInvocationID;
  if (lane == 7u) return;
  uint k = 0u;
  while (k < lane % 4u) {
    ++k;
  }
  result[lane] = subgroupAdd(k);
}
