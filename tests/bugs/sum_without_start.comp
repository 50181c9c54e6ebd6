#version 460
// A sum in a variable that nobody set to zero.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint sum;
  for (uint k = 0u; k < 4u; ++k) sum += numbers[i * 4u + k];
  results[i] = sum;  // BUG uninitialised-variable
}
