// The HLSL form of kernels/broadcast_load/broadcast_load.comp. HLSL has no number of a subgroup; subgroups of a row are
// in the order of invocations.

[[vk::binding(0)]] StructuredBuffer<float4> table;
[[vk::binding(1)]] RWStructuredBuffer<float4> results;

[numthreads(128, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex, uint3 group : SV_GroupID) {
  uint count, stride, length;
  results.GetDimensions(count, stride);
  table.GetDimensions(length, stride);
  uint lanes = WaveGetLaneCount();
  if (id.x < count) {
    float4 value = float4(0.0, 0.0, 0.0, 0.0);
    if (WaveIsFirstLane()) {
      uint subgroup = group.x * ((128 + lanes - 1) / lanes) + lane / lanes;
      value = table[(subgroup * 7 + 3) % length];
    }
    results[id.x] = WaveReadLaneFirst(value);
  }
}
