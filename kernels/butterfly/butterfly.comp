#version 450
#extension GL_KHR_shader_subgroup_shuffle : enable

// The port of butterfly.hpp.

layout(local_size_x = 128) in;

layout(std430, binding = 0) readonly buffer Values { uint values[]; };
layout(std430, binding = 1) buffer Total { uint total[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint sum = i < values.length() ? values[i] : 0;
  for (uint distance = gl_SubgroupSize / 2; distance > 0; distance /= 2) {
    sum += subgroupShuffleXor(sum, distance);
  }
  if (subgroupElect()) {
    atomicAdd(total[0], sum);
  }
}
