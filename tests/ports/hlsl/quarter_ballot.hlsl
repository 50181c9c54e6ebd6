// The HLSL form of kernels/quarter_ballot/quarter_ballot.comp.

[[vk::binding(0)]] StructuredBuffer<int> foo;
[[vk::binding(1)]] StructuredBuffer<int> bar;
[[vk::binding(2)]] RWStructuredBuffer<int> results;

[numthreads(128, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint count, stride;
  foo.GetDimensions(count, stride);
  if (id.x < count) {
    int a = foo[id.x];
    int b = bar[id.x];
    if (WaveGetLaneCount() <= WaveActiveCountBits(a < b) * 4) {
      results[id.x] = b - a;
    } else {
      results[id.x] = (a - b) * 3;
    }
  }
}
