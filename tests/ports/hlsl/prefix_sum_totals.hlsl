// The HLSL form of kernels/prefix_sum/prefix_sum_totals.comp.

[[vk::binding(0)]] RWStructuredBuffer<uint> workgroup_totals;

[numthreads(128, 1, 1)]
void main(uint index : SV_GroupIndex) {
  uint length, stride;
  workgroup_totals.GetDimensions(length, stride);
  if (index >= WaveGetLaneCount()) return;
  uint carry = 0;
  for (uint first = 0; first < length; first += WaveGetLaneCount()) {
    uint k = first + WaveGetLaneIndex();
    if (k < length) {
      uint total = workgroup_totals[k];
      workgroup_totals[k] = carry + WavePrefixSum(total) + total;
      carry += WaveActiveSum(total);
    }
  }
}
