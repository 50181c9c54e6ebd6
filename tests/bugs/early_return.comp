#version 460
// Invocations beyond the end return before the barrier.
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint numbers[]; };
shared uint tile[64];
void main() {
  uint i = gl_LocalInvocationIndex, all = gl_GlobalInvocationID.x;
  if (all >= 100u) return;
  tile[i] = numbers[all];
  barrier();  // BUG barrier-divergence
  numbers[all] = tile[i / 2u];
}
