#version 460
// The workgroup that finishes last adds the sums of all, which nothing makes it see.
layout(local_size_x = 32) in;
layout(binding = 0) coherent buffer In { uint sums[]; };
layout(binding = 1) buffer Out { uint finished; uint total; };
shared uint last;
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i == 0) {
    sums[gl_WorkGroupID.x] = gl_WorkGroupID.x;
    memoryBarrierBuffer();
    last = atomicAdd(finished, 1u) + 1u == gl_NumWorkGroups.x ? 1u : 0u;
  }
  barrier();
  if (last == 1u && i == 0u) {
    memoryBarrierBuffer();
    uint sum = 0;
    for (uint k = 0; k < gl_NumWorkGroups.x; ++k) sum += sums[k];
    total = sum;
  }
}
