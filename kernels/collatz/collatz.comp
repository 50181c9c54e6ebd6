#version 450

// The port of collatz.hpp.

layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Numbers { uint numbers[]; };
layout(std430, binding = 1) writeonly buffer Steps { uint steps[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < numbers.length()) {
    uint n = numbers[i];
    uint count = 0;
    while (n > 1) {
      if (n % 2 == 0) {
        n = n / 2;
      } else {
        n = n * 3 + 1;
      }
      ++count;
    }
    steps[i] = count;
  }
}
