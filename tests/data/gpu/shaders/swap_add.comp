#version 460

// Adds floats by compare-and-swap, so the order of additions is open.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { float x[]; };
layout(binding = 1) buffer Sum { uint sum[4]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint expected = 0u;
  for (uint tries = 0u; tries < 1000u; ++tries) {
    uint old = atomicCompSwap(sum[i % 4u], expected, floatBitsToUint(uintBitsToFloat(expected) + x[i]));
    if (old == expected) break;
    expected = old;
  }
}
