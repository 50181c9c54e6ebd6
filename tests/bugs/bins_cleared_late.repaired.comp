#version 460
// A histogram whose bins are cleared by some invocations while others count already.
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint bins[]; };
shared uint counts[16];
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i < 16) counts[i] = 0;
  barrier();
  atomicAdd(counts[numbers[gl_GlobalInvocationID.x] % 16u], 1u);
  barrier();
  if (i < 16) atomicAdd(bins[i], counts[i]);
}
