// The HLSL form of kernels/butterfly/butterfly.comp.

[[vk::binding(0)]] StructuredBuffer<uint> values;
[[vk::binding(1)]] RWStructuredBuffer<uint> total;

[numthreads(128, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint count, stride;
  values.GetDimensions(count, stride);
  uint sum = 0;
  if (id.x < count) {
    sum = values[id.x];
  }
  for (uint distance = WaveGetLaneCount() / 2; distance > 0; distance /= 2) {
    sum += WaveReadLaneAt(sum, WaveGetLaneIndex() ^ distance);
  }
  if (WaveIsFirstLane()) {
    InterlockedAdd(total[0], sum);
  }
}
