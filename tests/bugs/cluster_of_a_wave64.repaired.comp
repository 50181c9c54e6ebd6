#version 460
#extension GL_KHR_shader_subgroup_clustered : require
// Clusters of 64, written for a device with subgroups of 64.
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint numbers[]; };
void main() {
  uint all = gl_GlobalInvocationID.x;
  numbers[all] = subgroupClusteredAdd(all, 16u);
}
