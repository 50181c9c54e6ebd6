// The HLSL form of kernels/collatz/collatz.comp.

[[vk::binding(0)]] StructuredBuffer<uint> numbers;
[[vk::binding(1)]] RWStructuredBuffer<uint> steps;

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint length, stride;
  numbers.GetDimensions(length, stride);
  if (id.x < length) {
    uint n = numbers[id.x];
    uint count = 0;
    while (n > 1) {
      if (n % 2 == 0) {
        n = n / 2;
      } else {
        n = n * 3 + 1;
      }
      ++count;
    }
    steps[id.x] = count;
  }
}
