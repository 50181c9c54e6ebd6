#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Values of other lanes: shuffles, broadcasts and quads.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) writeonly buffer Out { T r[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uint lane = gl_SubgroupInvocationID, size = gl_SubgroupSize;
  T v = x[i];
  r[i] = subgroupShuffle(v, (lane * 5u + 3u) % size);
  r[64u + i] = subgroupShuffleXor(v, 3u);
  T up = subgroupShuffleUp(v, 2u), down = subgroupShuffleDown(v, 1u);
  r[128u + i] = lane >= 2u ? up : v;
  r[192u + i] = lane + 1u < size ? down : v;
  r[256u + i] = subgroupBroadcast(v, 2u);
  r[320u + i] = subgroupBroadcastFirst(v);
  r[384u + i] = subgroupQuadBroadcast(v, 3u);
  r[448u + i] = subgroupQuadSwapHorizontal(v);
  r[512u + i] = subgroupQuadSwapVertical(v);
  r[576u + i] = subgroupQuadSwapDiagonal(v);
  if (lane % 4u != 0u) {  // partners stay among the active lanes
    r[640u + i] = subgroupBroadcastFirst(v);
    r[704u + i] = subgroupShuffle(v, lane % 4u == 3u ? lane - 2u : lane + 1u);
  }
}
