// The HLSL form of kernels/compact/compact.comp.

[[vk::binding(0)]] StructuredBuffer<int> objects;
[[vk::binding(1)]] RWStructuredBuffer<uint> counter;
[[vk::binding(2)]] RWStructuredBuffer<int> kept;

[numthreads(128, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint length, stride;
  objects.GetDimensions(length, stride);
  if (id.x < length) {
    int object = objects[id.x];
    bool should_add = object >= 0;
    uint count = WaveActiveCountBits(should_add);
    uint first = 0;
    if (WaveIsFirstLane()) {
      InterlockedAdd(counter[0], count, first);
    }
    uint position = WaveReadLaneFirst(first) + WavePrefixCountBits(should_add);
    if (should_add) {
      kept[position] = object;
    }
  }
}
