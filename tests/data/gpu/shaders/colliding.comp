#version 460

// A copy whose stride is too small, so that invocations write elements of others: which one stays is open.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint x[]; };
layout(binding = 1) buffer Out { uint r[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  for (uint k = 0u; k < 4u; ++k) r[3u * i + k] = x[i] + k;
}
