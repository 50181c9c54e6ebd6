#version 460
// A colour is packed into eight bits without being limited to 0 to 1 first.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float shade = 1.0 - float(numbers[i]) / 200.0;
  uint packed = uint(shade * 255.0);  // FROM
  results[i] = packed;                // BUG conversion-range
}
