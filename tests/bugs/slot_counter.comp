#version 460
// A compaction that hands out slots with an ordinary addition.
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint used; uint kept[]; };
void main() {
  uint number = numbers[gl_GlobalInvocationID.x];
  if (number % 3u == 0u) {
    uint slot = used++;   // BUG lockstep-exchange data-race
    kept[slot] = number;  // FROM
  }
}
