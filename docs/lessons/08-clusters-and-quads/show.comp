#version 460
#extension GL_KHR_shader_subgroup_clustered : require

layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uint most = subgroupClusteredMax(values[i], 4u);
  if (i % 4u == 0u) result[i / 4u] = most;
}
