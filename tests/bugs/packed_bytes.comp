#version 460
// Four invocations put their byte into one word, each by reading and writing the whole word.
layout(local_size_x = 64) in;
layout(binding = 0) buffer Words { uint words[]; };
void main() {
  uint all = gl_GlobalInvocationID.x, shift = all % 4u * 8u;
  words[all / 4u] = (words[all / 4u] & ~(0xffu << shift)) | (all & 0xffu) << shift;  // BUG lockstep-exchange
}
