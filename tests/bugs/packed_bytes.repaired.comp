#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer Words { uint words[]; };
void main() {
  uint all = gl_GlobalInvocationID.x, shift = all % 4u * 8u;
  atomicAnd(words[all / 4u], ~(0xffu << shift));
  atomicOr(words[all / 4u], (all & 0xffu) << shift);
}
