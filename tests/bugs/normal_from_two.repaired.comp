#version 460
// The third component of a normal from two of which rounding made the sum of squares too large.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  vec2 xy = vec2(float(numbers[i] & 127u), 100.0) / 127.0;
  float z = sqrt(max(1.0 - dot(xy, xy), 0.0));
  results[i] = floatBitsToUint(z);
}
