#version 450
#extension GL_KHR_shader_subgroup_shuffle : enable

// The port of bitonic_sort.hpp.

layout(local_size_x = 128) in;

layout(std430, binding = 0) readonly buffer Keys { uint keys[]; };
layout(std430, binding = 1) writeonly buffer Sorted { uint sorted[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint lane = gl_SubgroupInvocationID;
  uint key = i < keys.length() ? keys[i] : 0xffffffffu;
  for (uint run = 2; run <= gl_SubgroupSize; run *= 2) {
    for (uint distance = run / 2; distance > 0; distance /= 2) {
      uint other = subgroupShuffleXor(key, distance);
      bool rising = (lane & run) == 0;
      bool lower = (lane & distance) == 0;
      key = rising == lower ? min(key, other) : max(key, other);
    }
  }
  if (i < sorted.length()) {
    sorted[i] = key;
  }
}
