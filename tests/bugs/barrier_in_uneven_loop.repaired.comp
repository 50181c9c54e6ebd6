#version 460
layout(local_size_x = 64) in;
layout(binding = 0) coherent buffer Data { uint numbers[]; };
shared uint tile[64];
void main() {
  uint i = gl_LocalInvocationIndex;
  for (uint first = 0; first < 100u; first += 64u) {
    uint k = first + gl_WorkGroupID.x * 128u + i;
    tile[i] = k < 256u ? numbers[k] : 0u;
    barrier();
    if (k < 256u) numbers[k] = tile[i ^ 1u];
    barrier();
  }
}
