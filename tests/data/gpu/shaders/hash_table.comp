#version 460

// Inserts keys into a table with linear probing: who gets which slot depends on who came first.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint x[]; };
layout(binding = 1) buffer Table { uint table[128]; };
layout(binding = 2) buffer Found { uint slots[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint key = x[i] + 1u, slot = (key * 2654435761u) >> 25;
  for (uint tries = 0u; tries < 128u; ++tries) {
    uint old = atomicCompSwap(table[slot], 0u, key);
    if (old == 0u || old == key) break;
    slot = (slot + 1u) % 128u;
  }
  slots[i] = slot;
}
