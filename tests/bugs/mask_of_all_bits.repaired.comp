#version 460
// A mask of the lowest bits, which is 0 or anything where all 32 are wanted.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint wanted = numbers[i] % 33u;
  uint mask = wanted == 32u ? ~0u : (1u << wanted) - 1u;
  results[i] = mask;
}
