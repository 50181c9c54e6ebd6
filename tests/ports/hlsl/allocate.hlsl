// The HLSL form of kernels/allocate/allocate.comp.

[[vk::binding(0)]] StructuredBuffer<uint> values;
[[vk::binding(1)]] RWStructuredBuffer<uint> free_slot;
[[vk::binding(2)]] RWStructuredBuffer<uint> data;

[numthreads(128, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint length, stride;
  values.GetDimensions(length, stride);
  uint value = 1;
  if (id.x < length) {
    value = values[id.x];
  }
  bool needs_space = value % 2 == 0;
  if (WaveActiveAnyTrue(needs_space)) {
    uint size = WaveActiveCountBits(needs_space);
    uint base = 0;
    if (WaveIsFirstLane()) {
      InterlockedAdd(free_slot[0], size, base);
    }
    uint offset = WavePrefixCountBits(needs_space);
    base = WaveReadLaneFirst(base);
    if (needs_space) {
      data[base + offset] = value;
    }
  }
}
