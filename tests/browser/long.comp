#version 450
// Some 100,000 steps of 128 lanes.
layout(local_size_x = 128) in;
layout(binding = 0) buffer B { uint data[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint sum = 0u;
  for (uint n = 0u; n < 16000u + i; ++n) {
    if ((n + i) % 3u == 0u)
      sum += n;
    else
      sum ^= n;
  }
  data[i] = sum;
}
