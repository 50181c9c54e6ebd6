#version 460
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { uint lock; uint sum; };
void main() {
  atomicAdd(sum, gl_LocalInvocationIndex);
}
