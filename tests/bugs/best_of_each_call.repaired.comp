#version 460
// The best of each row, which is sought anew.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) writeonly buffer Out { uint results[]; };
uint best_above(uint limit, uint number) {
  uint best = 0u;
  if (number > limit) best = number;
  return best;
}
void main() {
  uint i = gl_GlobalInvocationID.x, sum = 0u;
  for (uint k = 0u; k < 2u; ++k) sum += best_above(k * 1000u, numbers[i] + 1u);
  results[i] = sum;
}
