// The HLSL form of kernels/max_reduce/max_reduce.comp.

[[vk::binding(0)]] StructuredBuffer<uint> values;
[[vk::binding(1)]] RWStructuredBuffer<uint> maximum;

[numthreads(128, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint count, stride;
  values.GetDimensions(count, stride);
  if (id.x < count) {
    uint largest = WaveActiveMax(values[id.x]);
    if (WaveIsFirstLane()) {
      InterlockedMax(maximum[0], largest);
    }
  }
}
