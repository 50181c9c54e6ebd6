#version 460
// A histogram in shared memory that counts on from whatever was there.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint results[]; };
shared uint bins[16];
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (gl_LocalInvocationIndex < 16u) bins[gl_LocalInvocationIndex] = 0u;
  barrier();
  atomicAdd(bins[numbers[i] % 16u], 1u);
  barrier();
  if (gl_LocalInvocationIndex < 16u) results[i] = bins[gl_LocalInvocationIndex];
}
