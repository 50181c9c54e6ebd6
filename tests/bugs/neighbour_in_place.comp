#version 460
// A filter in place: workgroups read the border that their neighbours write.
layout(local_size_x = 32) in;
layout(binding = 0) coherent buffer Data { uint numbers[256]; };
void main() {
  uint all = gl_GlobalInvocationID.x;
  uint left = all % 32u == 0u && all > 0u ? numbers[all - 1u] : 0u;  // BUG data-race
  numbers[all] = left + all;  // FROM
}
