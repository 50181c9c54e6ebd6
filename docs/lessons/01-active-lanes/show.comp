#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 8) in;
layout(binding = 0) buffer Result { uint result[]; };

void main() {
  uint lane = gl_SubgroupInvocationID;
  uint count = subgroupAdd(1u);
  if (lane % 3u == 0u) {
    count = subgroupAdd(1u);
  }
  result[lane] = count;
}
