#version 460

// A list that grows at its head: each invocation learns who was there before it.
layout(local_size_x = 64) in;
layout(binding = 0) buffer Head { uint head; };
layout(binding = 1) buffer Next { uint next[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  next[i] = atomicExchange(head, i + 1u);
}
