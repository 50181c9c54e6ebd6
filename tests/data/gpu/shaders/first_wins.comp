#version 460

// The first invocation of each group of eight leaves its number; all learn whether they were it.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint x[]; };
layout(binding = 1) buffer Winner { uint winner[8]; };
layout(binding = 2) buffer Won { uint won[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  won[i] = atomicCompSwap(winner[x[i] % 8u], 0u, i + 1u) == 0u ? 1u : 0u;
}
