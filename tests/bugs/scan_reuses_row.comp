#version 460
// A scan that reads its neighbour and writes itself between the same two barriers.
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint numbers[]; };
shared uint row[64];
void main() {
  uint i = gl_LocalInvocationIndex;
  row[i] = numbers[gl_GlobalInvocationID.x];
  for (uint step = 1; step < 64; step *= 2) {
    barrier();
    if (i >= step) row[i] += row[i - step];  // BUG data-race lockstep-exchange
  }
  numbers[gl_GlobalInvocationID.x] = row[i];
}
