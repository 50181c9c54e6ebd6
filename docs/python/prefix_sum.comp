#version 460
// The twin of prefix_sum.wgsl.

layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer Input { float values[]; };
layout(set = 0, binding = 1) buffer Output { float sums[]; };

shared float partial[256];

void main() {
  uint lane = gl_LocalInvocationIndex;
  uint i = gl_GlobalInvocationID.x;
  partial[lane] = values[i];
  for (uint distance = 1u; distance < 256u; distance *= 2u) {
    barrier();
    float left = lane >= distance ? partial[lane - distance] : 0.0;
    barrier();
    partial[lane] += left;
  }
  sums[i] = partial[lane];
}
