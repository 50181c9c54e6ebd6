#version 460
// The last steps of a reduction rely on the lanes of a subgroup running in lockstep.
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint sums[]; };
shared uint partial[64];
void main() {
  uint i = gl_LocalInvocationIndex;
  partial[i] = numbers[gl_GlobalInvocationID.x];
  barrier();
  if (i < 32) {
    uint sum = partial[i] + partial[i + 32];
    for (uint step = 16; step > 0; step /= 2) {
      partial[i] = sum;                      // FROM
      sum += partial[(i + step) & 31u];      // BUG lockstep-exchange
    }
    if (i == 0) sums[gl_WorkGroupID.x] = sum;
  }
}
