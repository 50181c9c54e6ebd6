// The HLSL form of kernels/saxpy/saxpy.comp.

[[vk::push_constant]] cbuffer Constants { float a; };
[[vk::binding(0)]] StructuredBuffer<float> x;
[[vk::binding(1)]] RWStructuredBuffer<float> y;

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint count, stride;
  y.GetDimensions(count, stride);
  if (id.x < count) {
    y[id.x] = a * x[id.x] + y[id.x];
  }
}
