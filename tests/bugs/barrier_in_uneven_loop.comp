#version 460
// A barrier in a loop that takes more trips in some invocations than in others.
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint numbers[]; };
shared uint tile[64];
void main() {
  uint i = gl_LocalInvocationIndex;
  for (uint k = i; k < 100u; k += 64u) {
    tile[i] = numbers[k];
    barrier();  // BUG barrier-divergence
    numbers[k] = tile[i ^ 1u];
    barrier();
  }
}
