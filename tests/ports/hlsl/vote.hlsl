// The HLSL form of kernels/vote/vote.comp.

[[vk::binding(0)]] StructuredBuffer<int> foo;
[[vk::binding(1)]] StructuredBuffer<int> bar;
[[vk::binding(2)]] RWStructuredBuffer<int> results;
[[vk::binding(3)]] RWStructuredBuffer<uint> path;

int x(int a, int b) { return b - a; }
int y(int a, int b) { return (a - b) * 3; }

[numthreads(128, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint count, stride;
  foo.GetDimensions(count, stride);
  if (id.x < count) {
    int a = foo[id.x];
    int b = bar[id.x];
    bool condition = a < b;
    if (WaveActiveAllTrue(condition)) {
      results[id.x] = x(a, b);
      path[id.x] = 0;
    } else if (!WaveActiveAnyTrue(condition)) {
      results[id.x] = y(a, b);
      path[id.x] = 1;
    } else {
      if (condition) {
        results[id.x] = x(a, b);
      } else {
        results[id.x] = y(a, b);
      }
      path[id.x] = 2;
    }
  }
}
