#version 460
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { uint numbers[256]; };
layout(binding = 1) buffer Out { uint filtered[256]; };
void main() {
  uint all = gl_GlobalInvocationID.x;
  uint left = all % 32u == 0u && all > 0u ? numbers[all - 1u] : 0u;
  filtered[all] = left + all;
}
