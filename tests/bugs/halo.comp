#version 460
// A stencil whose tile has no room for the right neighbour of its last element.
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint numbers[256]; };
layout(binding = 1) buffer Out { uint smooth_numbers[]; };
shared uint tile[64];
void main() {
  uint i = gl_LocalInvocationIndex, all = gl_GlobalInvocationID.x;
  tile[i] = numbers[all];
  barrier();
  smooth_numbers[all] = tile[i] + tile[i + 1u];  // BUG out-of-bounds
}
