// The HLSL form of kernels/prefix_sum/prefix_sum.comp. WavePrefixSum leaves the lane's own value out. HLSL has neither
// the number of a subgroup nor their number; subgroups of a row are in the order of invocations.

[[vk::binding(0)]] StructuredBuffer<uint> values;
[[vk::binding(1)]] RWStructuredBuffer<uint> sums;
[[vk::binding(2)]] RWStructuredBuffer<uint> workgroup_totals;

groupshared uint subgroup_totals[1024];

void scan_totals(uint subgroups, uint group) {
  uint carry = 0;
  for (uint first = 0; first < subgroups; first += WaveGetLaneCount()) {
    uint k = first + WaveGetLaneIndex();
    if (k < subgroups) {
      uint total = subgroup_totals[k];
      subgroup_totals[k] = carry + WavePrefixSum(total) + total;
      carry += WaveActiveSum(total);
    }
  }
  if (WaveIsFirstLane()) {
    InterlockedExchange(workgroup_totals[group], carry, carry);
  }
}

[numthreads(1024, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint index : SV_GroupIndex, uint3 group : SV_GroupID) {
  uint count, stride, room;
  values.GetDimensions(count, stride);
  sums.GetDimensions(room, stride);
  uint lanes = WaveGetLaneCount();
  uint subgroup = index / lanes;
  uint value = 0;
  if (id.x < count) {
    value = values[id.x];
  }
  uint sum = WavePrefixSum(value) + value;
  uint total = WaveActiveSum(value);
  if (WaveIsFirstLane()) {
    subgroup_totals[subgroup] = total;
  }
  GroupMemoryBarrierWithGroupSync();
  if (subgroup == 0) {
    scan_totals((1024 + lanes - 1) / lanes, group.x);
  }
  GroupMemoryBarrierWithGroupSync();
  if (id.x < room) {
    sums[id.x] = sum;
    if (subgroup > 0) {
      sums[id.x] = sum + subgroup_totals[subgroup - 1];
    }
  }
}
