// The HLSL form of kernels/shuffle_blend/shuffle_blend.comp.

[[vk::binding(0)]] StructuredBuffer<uint> index;
[[vk::binding(1)]] StructuredBuffer<float4> x;
[[vk::binding(2)]] StructuredBuffer<float> blend_factor;
[[vk::binding(3)]] RWStructuredBuffer<float4> data;

[numthreads(128, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint length, stride;
  index.GetDimensions(length, stride);
  if (id.x < length) {
    uint lanes = WaveActiveCountBits(true);
    float4 mine = x[id.x];
    float4 blend_with = WaveReadLaneAt(mine, index[id.x] % lanes);
    data[id.x] = lerp(mine, blend_with, blend_factor[id.x]);
  }
}
