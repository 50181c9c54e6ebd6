#version 460
// Each lane takes a lock that another lane of its subgroup holds.
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { uint lock; uint sum; };
void main() {
  while (atomicCompSwap(lock, 99u, 1u) != 99u) {  // BUG no-progress
  }
  sum += gl_LocalInvocationIndex;
  atomicExchange(lock, 99u);
}
