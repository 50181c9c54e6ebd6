// The HLSL form of kernels/prefix_sum/prefix_sum_offsets.comp.

[[vk::binding(0)]] RWStructuredBuffer<uint> workgroup_totals;
[[vk::binding(1)]] RWStructuredBuffer<uint> sums;

[numthreads(1024, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID) {
  uint length, stride;
  sums.GetDimensions(length, stride);
  if (group.x == 0) return;
  uint before = 0;
  if (WaveIsFirstLane()) {
    before = workgroup_totals[group.x - 1];
  }
  before = WaveReadLaneFirst(before);
  if (id.x < length) {
    sums[id.x] += before;
  }
}
