#version 450

// The port of saxpy.hpp.

layout(local_size_x = 256) in;

layout(push_constant) uniform Constants { float a; };
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) buffer Y { float y[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < y.length()) {
    y[i] = a * x[i] + y[i];
  }
}
