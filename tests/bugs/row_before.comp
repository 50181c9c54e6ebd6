#version 460
// Each invocation reads what the one before it left in a buffer: in order, but perhaps an old value.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) buffer Rows { uint rows[]; };
layout(binding = 2) writeonly buffer Out { uint differences[]; };
void main() {
  uint i = gl_LocalInvocationIndex, all = gl_GlobalInvocationID.x;
  rows[all] = numbers[all] * 3u;                                         // FROM
  memoryBarrierBuffer();
  barrier();
  differences[all] = i > 0u ? numbers[all] * 3u - rows[all - 1u] : 0u;  // BUG not-coherent
}
