#version 450

// The port of histogram.hpp.

layout(local_size_x = 256) in;

layout(std430, binding = 0) readonly buffer Values { uint values[]; };
layout(std430, binding = 1) buffer Bins { uint bins[]; };

shared uint counts[256];

void main() {
  counts[gl_LocalInvocationIndex] = 0;
  barrier();
  uint first = gl_WorkGroupID.x * 4096;
  for (uint k = 0; k < 16; ++k) {
    uint i = first + k * 256 + gl_LocalInvocationIndex;
    if (i < values.length()) {
      atomicAdd(counts[values[i] % 256], 1);
    }
  }
  barrier();
  atomicAdd(bins[gl_LocalInvocationIndex], counts[gl_LocalInvocationIndex]);
}
