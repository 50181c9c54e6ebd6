#version 450

// The port of dynamic_branch.hpp.

layout(local_size_x = 128) in;

layout(std430, binding = 0) readonly buffer In { float values[]; };
layout(std430, binding = 1) writeonly buffer Out { float results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < values.length()) {
    float x = values[i];
    if (x < 0.0) {
      x = x * -1.0 + 42.0;
    } else {
      x = x - 13.0;
    }
    results[i] = x;
  }
}
