// The HLSL form of kernels/histogram/histogram.comp.

[[vk::binding(0)]] StructuredBuffer<uint> values;
[[vk::binding(1)]] RWStructuredBuffer<uint> bins;

groupshared uint counts[256];

[numthreads(256, 1, 1)]
void main(uint lane : SV_GroupIndex, uint3 group : SV_GroupID) {
  uint count, stride;
  values.GetDimensions(count, stride);
  counts[lane] = 0;
  GroupMemoryBarrierWithGroupSync();
  for (uint k = 0; k < 16; ++k) {
    uint i = group.x * 4096 + k * 256 + lane;
    if (i < count) {
      InterlockedAdd(counts[values[i] % 256], 1u);
    }
  }
  GroupMemoryBarrierWithGroupSync();
  InterlockedAdd(bins[lane], counts[lane]);
}
