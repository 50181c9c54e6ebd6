#version 450
#extension GL_KHR_shader_subgroup_shuffle_relative : enable

// The port of strided_scan.hpp.

layout(local_size_x = 128) in;

layout(std430, binding = 0) readonly buffer X { vec4 x[]; };
layout(std430, binding = 1) writeonly buffer Data { vec4 data[]; };

void main() {
  uint k = gl_GlobalInvocationID.x;
  if (k < x.length()) {
    vec4 temp = x[k];
    for (uint i = 2; i < gl_SubgroupSize; i *= 2) {
      vec4 other = subgroupShuffleUp(temp, i);
      if (i <= gl_SubgroupInvocationID) {
        temp = temp * other;
      }
    }
    data[k] = temp;
  }
}
