#version 450
#extension GL_KHR_shader_subgroup_shuffle : enable

// The port of xor_reduce.hpp.

layout(local_size_x = 128) in;

layout(std430, binding = 0) readonly buffer X { vec4 x[]; };
layout(std430, binding = 1) readonly buffer Additive { float additive[]; };
layout(std430, binding = 2) writeonly buffer Data { vec4 data[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 temp = vec4(0.0);
  float add = 0.0;
  if (i < additive.length()) {
    temp = x[i];
    add = additive[i];
  }
  for (uint step = 1; step <= 128; step *= 2) {
    if (gl_SubgroupSize == step) {
      break;
    }
    vec4 other = subgroupShuffleXor(temp, step);
    temp = temp * other + add;
  }
  if (i < additive.length()) {
    data[i] = temp;
  }
}
