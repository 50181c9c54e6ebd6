#version 460
// A tree reduction in shared memory whose steps are not separated.
layout(local_size_x = 128) in;
layout(binding = 0) buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint sums[]; };
shared uint partial[128];
void main() {
  uint i = gl_LocalInvocationIndex;
  partial[i] = numbers[gl_GlobalInvocationID.x];
  barrier();
  for (uint step = 64; step > 0; step /= 2) {
    if (i < step) partial[i] += partial[i + step];  // BUG data-race lockstep-exchange
  }
  if (i == 0) sums[gl_WorkGroupID.x] = partial[0];
}
